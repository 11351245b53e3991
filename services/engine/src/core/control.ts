import { patchCaller, setDeadline, type Draft } from './draft';
import { finish } from './end';
import type { ControlInput } from './inputs';
import { onKeysDeadline, pauseRecording } from './keys';
import type { CallPlan } from './plan';
import { dropReply } from './reply';
import { sayFarewell } from './settle';
import { closeTools } from './tool-turns';
import { onHeld, onTransferring } from './transfer';
import { closeCallerTurn } from './caller-turn';

export function onControl(draft: Draft, input: ControlInput): void {
  const { state, effects } = draft;
  switch (input.type) {
    case 'control_say':
      if (input.text.trim() !== '') state.toSay = [...state.toSay, input.text];
      return;
    case 'control_press':
      effects.push({ type: 'press', digits: input.digits });
      return;
    case 'control_mute':
      if (state.muted === input.muted) return;
      state.muted = input.muted;
      effects.push({ type: 'set_muted', muted: input.muted });
      return;
    case 'control_record':
      return pauseRecording(draft, 'control', input.paused);
    case 'control_transferring':
      return onTransferring(draft, input.ms);
    case 'control_held':
      return onHeld(draft, input.held);
    case 'control_transferred':
      return finish(draft, 'transferred', false);
    case 'control_hang_up':
      return finish(draft, 'agent_hung_up', true);
  }
}

/** How long before the spending limit the agent says goodbye; in a shorter call, not before its second half. */
const farewellMs = 10_000;

/** Whether the spending limit, rather than the maximum duration, ends the call. */
export const capsSpend = ({ spendCapMs = Infinity, maxCallMs }: CallPlan): boolean => spendCapMs < maxCallMs;

/** How long the agent may talk, from the answer until the call ends or the agent has to say goodbye. */
export function talkingMs(plan: CallPlan): number {
  const { spendCapMs = Infinity, maxCallMs } = plan;
  return capsSpend(plan) ? spendCapMs - Math.min(farewellMs, spendCapMs / 2) : maxCallMs;
}

/** Says the closing text if the agent has one, then ends the call; the caller cannot interrupt it. The spending limit ends the call in any case. */
export function onSpendCap(draft: Draft): void {
  const { state, now } = draft;
  const endsAt = (state.answeredAt ?? now) + (state.plan.spendCapMs ?? 0);
  if (state.phase !== 'talking' || now >= endsAt) return finish(draft, 'spend_cap', true);
  setDeadline(draft, 'max_call', endsAt);
  if (state.ending !== null) return;
  state.ending = 'spend_cap';
  if (state.caller.digits !== '') onKeysDeadline(draft);
  closeTools(draft);
  dropReply(draft);
  closeCallerTurn(draft);
  patchCaller(draft, { speakingSince: null });
  for (const name of ['speech', 'opening', 'tool'] as const) setDeadline(draft, name, undefined);
  sayFarewell(draft);
}

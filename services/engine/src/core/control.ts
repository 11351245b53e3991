import { patchCaller, setDeadline, type Draft } from './draft';
import { finish } from './end';
import type { ControlInput } from './inputs';
import { onKeysDeadline, pauseRecording } from './keys';
import { dropReply } from './reply';
import { sayFarewell } from './settle';
import { closeTools } from './tool-turns';
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
    case 'control_transferred':
      return finish(draft, 'transferred', false);
    case 'control_hang_up':
      return finish(draft, 'agent_hung_up', true);
  }
}

/** Says goodbye, where the agent has words for it, and ends; the caller cannot change that any more. */
export function onSpendCapReached(draft: Draft): void {
  const { state } = draft;
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

import { setDeadline, type Draft } from './draft';
import type { CallState } from './state';
import type { RunningTool } from './turn-state';
import { longestWaits } from './waits';

/** Whether the agent transfers the call by this tool. */
export const isTransfer = ({ call }: RunningTool): boolean => call.name === 'transfer_call';

const isTransferring = ({ deadlines, tools }: CallState): boolean =>
  deadlines.transfer !== undefined || tools.some(isTransfer);

/** How long the transfer in progress may take from now on; 0: there is none. */
export function transferMs(state: CallState): number {
  if (!isTransferring(state)) return 0;
  const { transfer = 0, tool = 0 } = state.deadlines;
  return Math.max(0, transfer - state.now, tool - state.now);
}

/** An operator's transfer is in progress for at most `ms` from now on. 0: it has ended, and the caller stays with the agent. */
export function onTransferring(draft: Draft, ms: number): void {
  if (ms <= 0 && draft.state.deadlines.transfer === undefined) return;
  setDeadline(draft, 'transfer', ms > 0 ? draft.now + Math.min(ms, longestWaits.transfer) : undefined);
  awaitSpeech(draft);
}

/**
 * Called when a transfer has begun or ended. While the other party is being called, the caller waits and is not expected to speak. After a failed transfer, the
 * wait for the first speech of the caller begins again.
 */
export function awaitSpeech(draft: Draft): void {
  const { state, now } = draft;
  if (state.evidence.speech) return;
  if (state.held !== null) state.held = state.plan.noCallerSpeechMs;
  else setDeadline(draft, 'no_speech', isTransferring(state) ? undefined : now + state.plan.noCallerSpeechMs);
}

/** While the other party keeps the call on hold, the wait for its first speech stands. */
export function onHeld(draft: Draft, held: boolean): void {
  const { state, now } = draft;
  const { no_speech: until } = state.deadlines;
  if (held === (state.held !== null)) return;
  const leftMs = state.held ?? (until === undefined ? state.plan.noCallerSpeechMs : Math.max(0, until - now));
  state.held = held ? leftMs : null;
  const waits = !held && !state.evidence.speech && !isTransferring(state);
  setDeadline(draft, 'no_speech', waits ? now + leftMs : undefined);
}

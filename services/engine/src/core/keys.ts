import { isAudible, patchCaller, setDeadline, type Draft } from './draft';
import { beHeardOnce } from './hearing';
import type { RecordingPause } from './effects';
import { interrupt } from './interruption';
import { dropReply, speculateOnKeys } from './reply';
import { takeTurn } from './turn-end';

/** Collects the caller's keys until they are complete. Recording is paused meanwhile, because the keys may be a card number. */
export function onPressed(draft: Draft, digits: string): void {
  beHeardOnce(draft);
  setDeadline(draft, 'opening', undefined);
  const { state } = draft;
  // The reply to the keys so far is not heard yet, and these belong to them.
  if (isContinued(state) && !isAudible(state)) dropReply(draft);
  if (isAudible(state)) interrupt(draft, true);
  const { betweenMs, maxDigits, endKey } = state.keys ?? state.plan.keys;
  for (const digit of digits) {
    pauseRecording(draft, 'keys', true);
    patchCaller(draft, { digits: state.caller.digits + digit });
    if (digit === endKey || state.caller.digits.length === maxDigits) takeKeys(draft, false);
  }
  if (state.caller.digits === '') return;
  setDeadline(draft, 'keys', draft.now + betweenMs);
  if (!isContinued(state)) speculateOnKeys(draft);
}

export function onKeysDeadline(draft: Draft): void {
  takeKeys(draft, draft.state.keys === null);
}

/** Whether the last turn is keys that may go on, and their reply has done nothing. */
const isContinued = ({ caller, transcript, tools }: Draft['state']): boolean =>
  caller.openKeys !== null && transcript.at(-1)?.turn_id === caller.openKeys && tools.length === 0;

/** @param mayGoOn the keys are not known to be complete: keys before an audible reply belong to the same turn */
function takeKeys(draft: Draft, mayGoOn: boolean): void {
  const { state } = draft;
  const { digits } = state.caller;
  setDeadline(draft, 'keys', undefined);
  const before = isContinued(state) ? state.transcript.at(-1) : undefined;
  patchCaller(draft, { digits: '' });
  pauseRecording(draft, 'keys', false);
  const turnId = takeTurn(draft, { digits: (before?.digits ?? '') + digits }, before);
  patchCaller(draft, { openKeys: mayGoOn ? turnId : null });
}

export function pauseRecording({ state, effects }: Draft, reason: RecordingPause, paused: boolean): void {
  if (state.recordingPauses.includes(reason) === paused) return;
  state.recordingPauses = paused
    ? [...state.recordingPauses, reason]
    : state.recordingPauses.filter((other) => other !== reason);
  effects.push({ type: paused ? 'pause_recording' : 'resume_recording', reason });
}

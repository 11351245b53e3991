import { isAudible, patchCaller, setDeadline, type Draft } from './draft';
import { beHeardOnce } from './hearing';
import type { RecordingPause } from './effects';
import { interrupt } from './interruption';
import { takeTurn } from './turn-end';
import { longestWaits } from './waits';

/** Collects the caller's keys until # or a timeout. Recording is paused meanwhile, because the keys may be a card number. */
export function onPressed(draft: Draft, digits: string): void {
  beHeardOnce(draft);
  setDeadline(draft, 'opening', undefined);
  if (isAudible(draft.state)) interrupt(draft, true);
  pauseRecording(draft, 'keys', true);
  patchCaller(draft, { digits: draft.state.caller.digits + digits });
  if (digits.endsWith('#')) return onKeysDeadline(draft);
  setDeadline(draft, 'keys', draft.now + longestWaits.keys);
}

export function onKeysDeadline(draft: Draft): void {
  const { digits } = draft.state.caller;
  setDeadline(draft, 'keys', undefined);
  patchCaller(draft, { digits: '' });
  pauseRecording(draft, 'keys', false);
  takeTurn(draft, { digits });
}

export function pauseRecording({ state, effects }: Draft, reason: RecordingPause, paused: boolean): void {
  if (state.recordingPauses.includes(reason) === paused) return;
  state.recordingPauses = paused
    ? [...state.recordingPauses, reason]
    : state.recordingPauses.filter((other) => other !== reason);
  effects.push({ type: paused ? 'pause_recording' : 'resume_recording', reason });
}

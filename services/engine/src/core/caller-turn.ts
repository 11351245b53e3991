import { reconsider } from './answer-detection';
import { clearDeadlines, newTurnId, patchCaller, sinceAnswer, type Draft } from './draft';
import type { CallerState } from './turn-state';
import { addTurn } from './utterance';
import { textOf } from './words';

export const callerAtStart: CallerState = {
  speakingSince: null,
  turnSince: null,
  turnId: null,
  lastVoice: 0,
  untranscribed: false,
  due: null,
  lost: false,
  interruptionDue: false,
  segments: [],
  closedSegment: -1,
  finalAt: null,
  finished: null,
  judged: null,
  digits: '',
  beepAt: null,
  openKeys: null,
};

/** Adds the caller's finished turn to the transcript. */
export function closeCallerTurn(draft: Draft): void {
  const { caller } = draft.state;
  const text = textOf(caller);
  const last = caller.segments.at(-1)?.segment ?? caller.closedSegment;
  if (text !== '') {
    const turn = {
      turn_id: caller.turnId ?? newTurnId(draft),
      speaker: 'caller',
      text,
      started_ms: sinceAnswer(draft, caller.turnSince ?? caller.lastVoice),
      ended_ms: sinceAnswer(draft, caller.speakingSince === null ? caller.lastVoice : draft.now),
    } as const;
    addTurn(draft, turn);
    reconsider(draft, turn);
  }
  patchCaller(draft, {
    turnSince: null,
    turnId: null,
    untranscribed: false,
    due: null,
    lost: false,
    interruptionDue: false,
    segments: [],
    closedSegment: last,
    finished: null,
    judged: null,
  });
  clearDeadlines(draft, 'transcript', 'end_of_turn', 'interruption');
}

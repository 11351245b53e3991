import { isAudible, type Draft } from './draft';
import { stopFeedback } from './feedback';
import { stopUtterance } from './utterance';

/**
 * This process is shutting down: another one takes over as soon as nothing would be lost. `atOnce`: immediately, because the process cannot wait longer or the
 * line was lost.
 */
export function onHandOver(draft: Draft, atOnce: boolean): void {
  const { state } = draft;
  if (state.phase !== 'talking') return;
  state.handsOver = true;
  if (atOnce) handOver(draft);
}

/** Called after every input. Hands the call over if a few seconds of silence would lose nothing now. */
export function handOverWhenFree(draft: Draft): void {
  const { state } = draft;
  const { handsOver, phase, reply, caller, tools, ending } = state;
  if (!handsOver || phase !== 'talking' || isAudible(state) || caller.turnSince !== null) return;
  if (reply === null && tools.length === 0 && ending === null) handOver(draft);
}

function handOver(draft: Draft): void {
  const { state, effects } = draft;
  const { reply } = state;
  if (reply !== null && reply.attempt !== null && !reply.complete)
    effects.push({ type: 'cancel_model', attempt: reply.attempt });
  stopUtterance(draft);
  stopFeedback(draft);
  state.phase = 'over';
  state.deadlines = {};
  effects.push({ type: 'hand_over' });
}

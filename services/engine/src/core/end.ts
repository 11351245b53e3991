import type { EndedReason, ReasonDetail, WorkerJobEvent } from '@parley/contract';
import { classificationOf, notJudged } from './answer-detection';
import { closeCallerTurn } from './caller-turn';
import { newTurnId, sinceAnswer, type Draft } from './draft';
import type { CallState } from './state';
import type { ConversationTurn } from './transcript';
import { closeTools } from './tool-turns';
import { addTurn, stopUtterance } from './utterance';

/** The time that a navigating call has spent in menus and on hold. */
function navigationTimes({ plan, navigation }: CallState, now: number): Pick<WorkerJobEvent, 'navigation'> {
  if (plan.conduct.navigation === null) return {};
  const { at, since, menuMs, holdMs } = navigation;
  const under = now - since;
  const menu = menuMs + (at === 'menu' ? under : 0);
  const hold = holdMs + (at === 'hold' ? under : 0);
  return { navigation: { menu_ms: Math.round(menu), hold_ms: Math.round(hold) } };
}

/** Ends an answered call. `hangUp` is false if the other party has hung up or the call was transferred. */
export function finish(draft: Draft, endedReason: EndedReason, hangUp: boolean, reasonDetail?: ReasonDetail): void {
  const { state, effects, now } = draft;
  if (state.reply !== null && state.reply.attempt !== null && !state.reply.complete)
    effects.push({ type: 'cancel_model', attempt: state.reply.attempt });
  closeTools(draft);
  stopUtterance(draft);
  closeCallerTurn(draft);
  const { digits } = state.caller;
  const at = sinceAnswer(draft, now);
  if (digits !== '')
    addTurn(draft, { turn_id: newTurnId(draft), speaker: 'caller', text: '', started_ms: at, ended_ms: at, digits });
  if (state.feedback.playing) effects.push({ type: 'stop_aside' });
  state.reply = null;
  state.phase = 'over';
  state.deadlines = {};
  if (hangUp) effects.push({ type: 'hang_up' });
  effects.push({
    type: 'report',
    event: {
      type: 'ended',
      ended_reason: endedReason,
      elapsed_ms: sinceAnswer(draft, now),
      ...(reasonDetail === undefined ? {} : { reason_detail: reasonDetail }),
      ...navigationTimes(state, now),
    },
  });
  // Turns of which nothing was heard are removed.
  const said = ({ text, digits, tool_calls }: ConversationTurn): boolean =>
    text !== '' || digits !== undefined || tool_calls !== undefined;
  state.transcript = state.transcript.filter(said);
  const outcome = { transcript: state.transcript, ...classificationOf(state.plan, state.evidence) };
  effects.push({ type: 'complete', outcome });
}

/** Ends an unanswered call. */
export function fail(draft: Draft, endedReason: EndedReason, hangUp: boolean): void {
  const { state, effects } = draft;
  state.phase = 'over';
  state.deadlines = {};
  if (hangUp) effects.push({ type: 'hang_up' });
  effects.push({ type: 'report', event: { type: 'failed', ended_reason: endedReason } });
  effects.push({ type: 'complete', outcome: { transcript: null, ...notJudged } });
}

import type { EndedReason, TranscriptTurn, WorkerJobEvent } from '@parley/contract';
import { classificationOf, notJudged } from './answer-detection';
import type { CallAction, CallState, DeadlineName } from './call-state';

/** A step in the making. It lives inside `step` alone: what comes in and goes out is never changed. */
export interface Draft {
  state: CallState;
  readonly actions: CallAction[];
}

export function patch(draft: Draft, change: Partial<CallState>): void {
  draft.state = { ...draft.state, ...change };
}

export function patchAgent(draft: Draft, change: Partial<CallState['agent']>): void {
  patch(draft, { agent: { ...draft.state.agent, ...change } });
}

export function patchFeedback(draft: Draft, change: Partial<CallState['feedback']>): void {
  patch(draft, { feedback: { ...draft.state.feedback, ...change } });
}

export function patchCaller(draft: Draft, change: Partial<CallState['caller']>): void {
  patch(draft, { caller: { ...draft.state.caller, ...change } });
}

export function patchEvidence(draft: Draft, change: Partial<CallState['evidence']>): void {
  patch(draft, { evidence: { ...draft.state.evidence, ...change } });
}

/** Sets a deadline, or with `undefined` takes it away. */
export function setDeadline(draft: Draft, name: DeadlineName, at: number | undefined): void {
  patch(draft, { deadlines: { ...draft.state.deadlines, [name]: at } });
}

/** Milliseconds from the answer, as a transcript counts. */
export function sinceAnswer({ state }: Draft, now: number): number {
  return Math.max(0, Math.round(now - (state.answeredAt ?? now)));
}

export function addTurn(draft: Draft, turn: TranscriptTurn): void {
  patch(draft, { transcript: [...draft.state.transcript, turn] });
}

/** Gives the agent's last turn the end that it had. */
export function closeAgentTurn(draft: Draft, now: number): void {
  const index = draft.state.transcript.findLastIndex(({ speaker }) => speaker === 'agent');
  const ended = sinceAnswer(draft, now);
  const turns = draft.state.transcript.map((turn, place) => (place === index ? { ...turn, ended_ms: ended } : turn));
  patch(draft, { transcript: turns });
}

/** Writes down what the caller had said of a turn that has not ended. */
export function closeCallerTurn(draft: Draft, now: number): void {
  const { texts, turnSince, speakingSince, silentSince } = draft.state.caller;
  if (texts.length === 0) return;
  const startedMs = sinceAnswer(draft, turnSince ?? now);
  const endedMs = sinceAnswer(draft, speakingSince === null ? silentSince : now);
  addTurn(draft, {
    speaker: 'caller',
    text: texts.join(' '),
    started_ms: startedMs,
    ended_ms: endedMs,
    ...languageOf(draft),
  });
}

export function languageOf({ state }: Draft): { language?: string } {
  return state.plan.language === '' ? {} : { language: state.plan.language };
}

/** What a call that navigates spent in menus and on hold, up to now. */
function navigationTimes({ plan, navigation }: CallState, now: number): Pick<WorkerJobEvent, 'navigation'> {
  if (plan.conduct.navigation === null) return {};
  const { at, since, menuMs, holdMs } = navigation;
  const under = now - since;
  const menu = menuMs + (at === 'menu' ? under : 0);
  const hold = holdMs + (at === 'hold' ? under : 0);
  return { navigation: { menu_ms: Math.round(menu), hold_ms: Math.round(hold) } };
}

/** Ends an answered call. `hangUp` unless the other side has. */
export function end(draft: Draft, now: number, endedReason: EndedReason, hangUp: boolean, reasonDetail?: string): void {
  if (draft.state.agent.doing === 'speaking') closeAgentTurn(draft, now);
  closeCallerTurn(draft, now);
  const { state } = draft;
  patch(draft, { phase: 'over', deadlines: {} });
  if (state.feedback.playing) draft.actions.push({ type: 'stop_beside' });
  if (hangUp) draft.actions.push({ type: 'hang_up' });
  const detail = reasonDetail === undefined ? {} : { reason_detail: reasonDetail };
  const event = {
    type: 'ended',
    ended_reason: endedReason,
    elapsed_ms: sinceAnswer(draft, now),
    ...detail,
    ...navigationTimes(state, now),
  } as const;
  draft.actions.push({ type: 'report', event });
  const outcome = { transcript: state.transcript, ...classificationOf(state.plan, state.evidence) };
  draft.actions.push({ type: 'complete', outcome });
}

/** Ends a call that nobody answered. */
export function fail(draft: Draft, endedReason: EndedReason, hangUp: boolean): void {
  patch(draft, { phase: 'over', deadlines: {} });
  if (hangUp) draft.actions.push({ type: 'hang_up' });
  draft.actions.push({ type: 'report', event: { type: 'failed', ended_reason: endedReason } });
  const outcome = { transcript: null, ...notJudged };
  draft.actions.push({ type: 'complete', outcome });
}

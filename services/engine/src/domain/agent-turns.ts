import type { CallInput } from './call-state';
import { boundReply, expectReply, oweReply, stopFeedback } from './feedback';
import {
  addTurn,
  closeAgentTurn,
  end,
  languageOf,
  patch,
  patchAgent,
  patchFeedback,
  setDeadline,
  sinceAnswer,
  type Draft,
} from './draft';
import { longestWaits } from './waits';

/** What the agent does: open, think, speak, be interrupted. */

/** Says the greeting, or lets the model find the first words. */
export function open(draft: Draft, now: number): void {
  patch(draft, { opened: true });
  setDeadline(draft, 'opening', undefined);
  const { greeting } = draft.state.plan;
  if (greeting === '') think(draft, now);
  else speak(draft, now, greeting, false);
}

export function think(draft: Draft, now: number): void {
  const turn = draft.state.agent.turn + 1;
  patchAgent(draft, { doing: 'thinking', turn, endsCall: false, cut: false });
  draft.actions.push({ type: 'think', turn, said: draft.state.transcript });
  // Not before the caller's first turn.
  const answers = draft.state.transcript.some(({ speaker }) => speaker === 'caller');
  if (answers) oweReply(draft, true);
  boundReply(draft, now);
  if (!answers) return;
  expectReply(draft, now);
}

export function speak(draft: Draft, now: number, text: string, endsCall: boolean): void {
  oweReply(draft, false);
  stopFeedback(draft);
  const turn = draft.state.agent.turn + 1;
  patchAgent(draft, { doing: 'speaking', turn, endsCall, cut: false });
  setDeadline(draft, 'reply', undefined);
  setDeadline(draft, 'voice', now + longestWaits.voice);
  const at = sinceAnswer(draft, now);
  addTurn(draft, { speaker: 'agent', text, started_ms: at, ended_ms: at, ...languageOf(draft) });
  draft.actions.push({ type: 'speak', turn, text });
}

/** What the model was thinking of is not wanted any more. */
export function dropThought(draft: Draft): void {
  stopFeedback(draft);
  setDeadline(draft, 'reply', undefined);
  if (draft.state.agent.doing !== 'thinking') return;
  patchAgent(draft, { doing: 'nothing', turn: draft.state.agent.turn + 1, cut: true });
}

export function interrupt(draft: Draft, now: number): void {
  closeAgentTurn(draft, now);
  patchAgent(draft, { doing: 'nothing', turn: draft.state.agent.turn + 1, endsCall: false, cut: true });
  silence(draft);
  draft.actions.push({ type: 'stop_speaking' });
}

export function onReplied(draft: Draft, input: Extract<CallInput, { type: 'replied' }>, now: number): void {
  const { agent } = draft.state;
  if (agent.doing !== 'thinking' || agent.turn !== input.turn) return;
  if (input.press !== undefined) draft.actions.push({ type: 'press', digits: input.press });
  if (input.text !== '') return speak(draft, now, input.text, input.endsCall);
  if (input.endsCall) return farewell(draft, now);
  stopFeedback(draft);
  patchAgent(draft, { doing: 'nothing' });
  // A reply without a word or a key is none: the clock goes on.
  if (input.press === undefined) return;
  oweReply(draft, false);
  setDeadline(draft, 'reply', undefined);
}

/** What is said has become sound: from here on its end is waited for. */
export function onVoiced(draft: Draft, input: Extract<CallInput, { type: 'voiced' }>, now: number): void {
  const { agent } = draft.state;
  if (agent.doing !== 'speaking' || agent.turn !== input.turn) return;
  setDeadline(draft, 'voice', undefined);
  setDeadline(draft, 'playout', now + input.durationMs + longestWaits.playout);
}

/** Nothing is being said any more. */
function silence(draft: Draft): void {
  setDeadline(draft, 'voice', undefined);
  setDeadline(draft, 'playout', undefined);
}

/** The last words, once, where there are any; then the agent hangs up. */
function farewell(draft: Draft, now: number): void {
  const { endPhrase } = draft.state.plan.conduct;
  if (endPhrase === '' || draft.state.feedback.farewell) return end(draft, now, 'agent_hung_up', true);
  patchFeedback(draft, { farewell: true });
  speak(draft, now, endPhrase, true);
}

/** The model or the voice gave up on this turn: an agent that has nothing to say cannot go on. */
export function onReplyFailed(draft: Draft, turn: number, now: number): void {
  const { agent } = draft.state;
  if (agent.doing === 'nothing' || agent.turn !== turn) return;
  end(draft, now, 'agent_unresponsive', true, 'model_unresponsive');
}

export function onSpoken(draft: Draft, turn: number, now: number): void {
  const { agent } = draft.state;
  if (agent.doing !== 'speaking' || agent.turn !== turn) return;
  closeAgentTurn(draft, now);
  patchAgent(draft, { doing: 'nothing' });
  silence(draft);
  setDeadline(draft, 'interruption', undefined);
  if (agent.endsCall) farewell(draft, now);
}

import { clearDeadlines, isAudible, newTurnId, patchReply, setDeadline, type Draft } from './draft';
import { expectReply, stopFeedback } from './feedback';
import { isNavigating } from './navigation';
import { boundReply, oweReply } from './owed-reply';
import type { Reply } from './turn-state';
import { releaseUtterance, speakMore, stopUtterance } from './utterance';
import { finishedFrom, mostToolRounds } from './waits';
import { comparable, textOf } from './words';
import type { Message } from './effects';
import type { ConversationTurn } from './transcript';

const emptyReply = {
  attempt: null,
  retry: 0,
  speculative: false,
  answers: '',
  text: '',
  spoken: 0,
  firstDeltaAt: null,
  toolCalls: [],
  complete: false,
  toolsCalled: false,
  followUp: false,
  endsCall: false,
  announces: false,
  suspended: false,
  unanswered: false,
  rephrased: false,
  refused: null,
  verbatim: false,
  voiceFailures: 0,
} as const satisfies Partial<Reply>;

/** Requests the next reply from the model. */
export function think(draft: Draft): void {
  ask(draft, { turnId: newTurnId(draft) });
  expect(draft);
}

/** The attempt failed without output and is repeated within the remaining time. */
export function askAgain(draft: Draft, { turnId, retry }: Reply): void {
  ask(draft, { retry: retry + 1, turnId });
}

/** The conversation was refused: the model is asked once more, with other words in between. */
export function askInOtherWords(draft: Draft, { turnId, retry }: Reply, words: string): void {
  ask(draft, { retry: retry + 1, turnId, words });
}

/** What a speculative reply answers: the words or keys so far, and the same as a message. */
interface Heard {
  readonly said: string;
  readonly text: string;
}

interface Request {
  readonly turnId: string;
  readonly heard?: Heard;
  readonly retry?: number;
  /** Added to the end of the conversation. */
  readonly words?: string;
}

function ask(draft: Draft, { heard, retry = 0, turnId, words }: Request): void {
  const { state, now } = draft;
  const attempt = state.counts.attempts + 1;
  state.counts = { ...state.counts, attempts: attempt };
  const speculative = heard !== undefined;
  if (!isNavigating(draft)) state.opened = true;
  setDeadline(draft, 'voice', undefined);
  const added = heard?.text ?? words;
  const history = historyOf(state.transcript.filter(({ turn_id }) => !state.refused.includes(turn_id)));
  const rephrased = words !== undefined;
  const answers = comparable(heard?.said ?? '');
  state.reply = { ...emptyReply, attempt, retry, turnId, startedAt: now, speculative, answers, rephrased };
  draft.effects.push({
    type: 'start_model',
    attempt,
    retry,
    speculative,
    turnId,
    history: added === undefined ? history : [...history, { role: 'user', text: added }],
    mayCallTools: state.toolRounds < mostToolRounds,
    ...(state.plan.followLanguages.length > 0 && { language: state.language }),
  });
}

/** The turn that a reply answers has ended: from now on the caller waits for it. */
function expect(draft: Draft): void {
  // No reply is owed before the caller's first turn.
  const answers = draft.state.owed.owed || draft.state.transcript.some(({ speaker }) => speaker === 'caller');
  if (answers) oweReply(draft, true);
  boundReply(draft);
  if (answers) expectReply(draft);
}

/** Requests the reply while it is still uncertain whether the turn has ended, so that it is already in progress if the caller adds nothing. */
export function speculate(draft: Draft): void {
  const { caller } = draft.state;
  if (caller.turnSince === null || caller.speakingSince !== null) return;
  const text = textOf(caller);
  if (text === '' || (caller.finished !== null && caller.finished < finishedFrom)) return;
  askAhead(draft, { said: text, text });
}

/** The same while further keys may follow. */
export function speculateOnKeys(draft: Draft): void {
  const { caller, reply } = draft.state;
  if (reply?.speculative === true) dropReply(draft);
  if (caller.turnSince === null) askAhead(draft, { said: caller.digits, text: keysText(caller.digits) });
}

function askAhead(draft: Draft, heard: Heard): void {
  const { plan, opened, reply, utterance, tools, ending, voicemail } = draft.state;
  if (voicemail !== null || !plan.speculates || (!opened && !isNavigating(draft)) || ending !== null) return;
  if (reply === null && utterance === null && tools.length === 0) ask(draft, { heard, turnId: newTurnId(draft) });
}

const keysText = (digits: string): string => `[keys pressed: ${digits}]`;

/** The caller's turn ended with the words that the attempt answers, so its output is used. */
export function confirm(draft: Draft): void {
  const { reply } = draft.state;
  if (reply === null || reply.attempt === null) return;
  patchReply(draft, { speculative: false });
  draft.effects.push({ type: 'confirm_model', attempt: reply.attempt });
  expect(draft);
  if (reply.firstDeltaAt !== null) produced(draft);
  releaseUtterance(draft);
}

/** The model has produced output, so no reply is owed any more. */
export function produced(draft: Draft): void {
  oweReply(draft, false);
  setDeadline(draft, 'first_delta', undefined);
}

/** Whether the reply has text that was not said yet, or tools that have not run yet. */
export const hasMore = ({ state: { utterance } }: Draft, reply: Reply): boolean =>
  !reply.complete ||
  !reply.toolsCalled ||
  utterance !== null ||
  reply.followUp ||
  reply.endsCall ||
  reply.text.slice(reply.spoken).trim() !== '';

/** The caller's audio was noise or backchannel, so the reply continues where it stopped. */
export function resume(draft: Draft, hadWords: boolean): void {
  const { reply } = draft.state;
  if (reply === null) return;
  patchReply(draft, { suspended: false, unanswered: reply.unanswered || hadWords });
  if (reply.firstDeltaAt === null && reply.attempt !== null && !reply.complete) boundReply(draft);
  releaseUtterance(draft);
}

/** Says a text verbatim. */
export function say(draft: Draft, text: string, endsCall: boolean, verbatim = false): void {
  const { state, now } = draft;
  dropReply(draft);
  oweReply(draft, false);
  stopFeedback(draft);
  state.reply = {
    ...emptyReply,
    turnId: newTurnId(draft),
    startedAt: now,
    text,
    complete: true,
    toolsCalled: true,
    endsCall,
    verbatim,
  };
  speakMore(draft);
}

/** Drops the agent's pending and current speech. */
export function dropReply(draft: Draft): void {
  const { state, effects } = draft;
  const { reply } = state;
  if (reply === null) return;
  if (reply.attempt !== null && !reply.complete) effects.push({ type: 'cancel_model', attempt: reply.attempt });
  stopUtterance(draft);
  stopFeedback(draft);
  state.reply = null;
  // The greeting is repeated later if it was not heard.
  if (reply.announces) state.opened = false;
  if (reply.attempt === null && !reply.endsCall && state.transcript.every(({ speaker }) => speaker === 'caller'))
    state.opened = false;
  clearDeadlines(draft, 'first_delta', 'stall', 'voice');
}

/** Whether the reply can wait for the caller: it is not audible and has no running tools. */
export const isWaiting = ({ state }: Draft): boolean =>
  state.reply !== null && !isAudible(state) && state.tools.length === 0 && state.ending !== 'spend_cap';

/** The conversation as sent to the model: what was played and recognized, and tool results. */
export function historyOf(turns: readonly ConversationTurn[]): readonly Message[] {
  return turns.flatMap((turn): Message[] => {
    const { speaker, text, digits, tool_calls: calls = [] } = turn;
    if (speaker === 'caller') return [{ role: 'user', text: digits === undefined ? text : keysText(digits) }];
    if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', text }];
    const toolCalls = calls.map(({ tool_call_id: id, name, arguments: given }) => ({ id, name, arguments: given }));
    return [
      { role: 'assistant', text, toolCalls },
      ...calls.map(({ tool_call_id: toolCallId, result }): Message => ({ role: 'tool', toolCallId, text: result })),
    ];
  });
}

import { baseLanguage } from '@parley/contract';
import { hearWords } from './answer-detection';
import { newTurnId, patchCaller, setDeadline, type Draft } from './draft';
import { beHeardOnce, delayTurnEnd, hasOpenSegment } from './hearing';
import type { CallInput } from './inputs';
import { countedWords, interruptWithWords } from './interruption';
import { followWords } from './navigation';
import { dropReply, isWaiting, speculate } from './reply';
import type { CallState } from './state';
import type { Segment } from './turn-state';
import { endTurn, settleTranscript } from './turn-end';
import { longestWaits, mostReopenings } from './waits';
import { comparable, spokenWords, textOf } from './words';

type Given<Type extends CallInput['type']> = Extract<CallInput, { type: Type }>;

export function onPartial(draft: Draft, { segment, text, judged }: Given<'partial'>): void {
  listens(draft);
  if (!take(draft, { segment, text: text.trim(), final: false }, judged)) return;
  const { caller } = draft.state;
  // Words arrived during a pause, so their final result is still pending, whatever came before.
  if (caller.speakingSince === null && text.trim() !== '') {
    patchCaller(draft, { untranscribed: true });
    setDeadline(draft, 'transcript', draft.now + longestWaits.transcript);
  }
  onWords(draft);
}

export function onFinal(draft: Draft, { segment, text, language, judged }: Given<'final'>): void {
  listens(draft);
  const { state } = draft;
  const trimmed = text.trim();
  if (trimmed !== '' && language !== undefined) follow(draft, language, trimmed);
  if (!take(draft, { segment, text: trimmed, final: true }, judged)) return;
  patchCaller(draft, { finalAt: draft.now });
  if (trimmed !== '') {
    followWords(draft, trimmed);
    hearWords(draft, trimmed, textOf(state.caller));
  }
  onWords(draft);
  const { caller } = draft.state;
  if (caller.speakingSince !== null || hasOpenSegment(caller)) return;
  patchCaller(draft, { untranscribed: false });
  setDeadline(draft, 'transcript', undefined);
  if (caller.due !== null) endTurn(draft, caller.due);
  else speculate(draft);
}

/** Assigns a segment to its turn. @returns false if it belongs to a closed turn, or if it has no words and there is no turn */
function take(draft: Draft, segment: Segment, judged: number | undefined): boolean {
  const { caller } = draft.state;
  if (segment.segment <= caller.closedSegment) return false;
  if (caller.turnSince === null) {
    if (segment.text === '') return false;
    // Words without detected voice, or of a turn that was closed without words, form a new turn. Its silence has already passed.
    patchCaller(draft, { turnSince: segment.final ? caller.lastVoice : draft.now, due: draft.now });
  }
  patchCaller(draft, { segments: withSegment(draft.state.caller.segments, segment), judged: judged ?? null });
  if (judged !== undefined) delayTurnEnd(draft);
  if (segment.text !== '' && draft.state.caller.turnId === null) patchCaller(draft, { turnId: newTurnId(draft) });
  return true;
}

const withSegment = (segments: readonly Segment[], segment: Segment): Segment[] =>
  [...segments.filter((other) => other.segment !== segment.segment), segment].sort(
    (one, other) => one.segment - other.segment,
  );

/** The words of the caller's turn up to a result of the transcriber; undefined if the result belongs to a closed turn. */
export function wordsUpTo({ caller }: CallState, { segment, text }: Given<'partial' | 'final'>): string | undefined {
  if (segment <= caller.closedSegment) return undefined;
  return textOf({ segments: withSegment(caller.segments, { segment, text: text.trim(), final: true }) });
}

/** Applies the words known so far: they may stop the agent's speech. */
function onWords(draft: Draft): void {
  const { state } = draft;
  const text = textOf(state.caller);
  if (text === '') return;
  beHeardOnce(draft);
  interruptWithWords(draft);
  const { reply } = state;
  if (reply?.speculative === true) {
    if (reply.answers !== comparable(text)) dropReply(draft);
  } else if (isWaiting(draft) && countedWords(draft) > 0) dropReply(draft);
}

/** One final text of so many words is enough to switch the language; otherwise it takes two that follow one another. */
const evidentWords = 4;

/** Switches the language if the caller evidently speaks another one that the call may switch to. A short word alone is often taken for another language. */
function follow(draft: Draft, language: string, text: string): void {
  const { state } = draft;
  const base = baseLanguage(language);
  const allowed =
    base === baseLanguage(state.language)
      ? undefined
      : state.plan.followLanguages.find(({ locale }) => baseLanguage(locale) === base);
  const before = state.heardLanguage;
  state.heardLanguage = allowed === undefined ? null : base;
  if (allowed === undefined || (before !== base && spokenWords(text) < evidentWords)) return;
  state.heardLanguage = null;
  state.language = allowed.locale;
  state.plan = { ...state.plan, ...allowed.texts };
  draft.effects.push({ type: 'set_language', language: allowed.locale });
}

function listens(draft: Draft): void {
  const { state } = draft;
  state.reopenings = 0;
  onTranscriberOpened(draft);
}

export function onTranscriberOpened(draft: Draft): void {
  draft.state.listening = true;
  setDeadline(draft, 'transcriber', undefined);
}

/** The current speech is lost. The transcriber is reopened, up to a maximum number of consecutive times. */
export function onTranscriberFailed(draft: Draft, { retry }: Given<'transcriber_failed'>): void {
  const { state, now, effects } = draft;
  state.listening = false;
  if (state.deadlines.transcriber === undefined) setDeadline(draft, 'transcriber', now + longestWaits.transcriber);
  if (retry && state.reopenings < mostReopenings) {
    state.reopenings += 1;
    effects.push({ type: 'reopen_transcriber', retry: state.reopenings });
  }
  const { caller } = state;
  if (caller.turnSince === null) return;
  patchCaller(draft, { lost: true });
  settleTranscript(draft);
}

import { closeCallerTurn } from './caller-turn';
import { isAudible, newTurnId, patchCaller, patchReply, setDeadline, sinceAnswer, type Draft } from './draft';
import { countedWords, interrupt } from './interruption';
import { isPersonTalk } from './languages/index';
import { isNavigating } from './navigation';
import { boundReply, oweReply } from './owed-reply';
import { onRefused } from './refusal';
import { confirm, dropReply, hasMore, resume, say, think } from './reply';
import type { ConversationTurn } from './transcript';
import type { TurnEnd } from './turn-state';
import { addTurn } from './utterance';
import { comparable, textOf } from './words';

/** The silence was long enough to end the turn. A turn does not end before its final transcript. */
export function onEndOfTurn(draft: Draft): void {
  if (draft.state.caller.untranscribed) return patchCaller(draft, { due: draft.now });
  endTurn(draft, draft.now);
}

/** The final transcript did not arrive in time: the text so far is used; without any, the turn ends as unrecognized. */
export function onTranscriptDeadline(draft: Draft): void {
  settleTranscript(draft);
}

/** Treats partial results as final. Without partial results the words are lost. */
export function settleTranscript(draft: Draft): void {
  const { caller } = draft.state;
  const segments = caller.segments.map((segment) => ({ ...segment, final: true }));
  const lost = caller.lost || textOf(caller) === '';
  patchCaller(draft, { untranscribed: false, segments, lost });
  setDeadline(draft, 'transcript', undefined);
  if (caller.speakingSince === null && caller.due !== null) endTurn(draft, caller.due);
}

/** @param holdOverAt when the silence was long enough to end the turn */
export function endTurn(draft: Draft, holdOverAt: number): void {
  const { state, now } = draft;
  const { lastVoice, lost } = state.caller;
  const text = textOf(state.caller);
  const counts = countedWords(draft) > 0;
  closeCallerTurn(draft);
  if (state.ending !== null) return;
  // The caller spoke while the agent continued to speak: this is backchannel, which is recorded but gets no reply.
  if (isAudible(state)) {
    if (!state.opened) setDeadline(draft, 'opening', now + state.plan.silenceWaitMs);
    return;
  }
  answer(draft, { text, counts, lost, turnEnd: { lastVoice, holdOverAt, endedAt: now } });
}

interface Said {
  readonly text: string;
  /** The turn contains words other than backchannel words. */
  readonly counts: boolean;
  /** The caller said something that was not recognized. */
  readonly lost: boolean;
  readonly turnEnd: TurnEnd;
}

function answer(draft: Draft, { text, counts, lost, turnEnd }: Said): void {
  const { state } = draft;
  const { reply } = state;
  if (state.voicemail !== null) {
    // A mailbox is still speaking, unless a person picks up.
    if (!isPersonTalk(text, state.language)) return;
    state.voicemail = null;
    setDeadline(draft, 'beep', undefined);
  }
  if (!state.opened && !isNavigating(draft)) {
    dropReply(draft);
    state.turnEnd = turnEnd;
    return open(draft);
  }
  if (text !== '') {
    state.toolRounds = 0;
    state.unknownTools = [];
  }
  if (reply?.speculative === true) {
    if (reply.answers === comparable(text)) {
      state.turnEnd = turnEnd;
      confirm(draft);
      return reply.refused === null ? undefined : onRefused(draft, reply.refused);
    }
    dropReply(draft);
  } else if (reply?.announces === true) {
    return resume(draft, text !== '');
  } else if (reply !== null) {
    // Running tools continue. The model gets their results together with the caller's words.
    if (state.tools.length > 0) return;
    if (!counts && hasMore(draft, reply)) return resume(draft, text !== '');
    dropReply(draft);
  }
  state.turnEnd = turnEnd;
  if (text !== '') return think(draft);
  if (lost && mayAskToRepeat(draft)) return askToRepeat(draft);
  if (state.owed.owed && isUnanswered(draft)) return think(draft);
  if (lost) leaveUnheard(draft);
}

/** Whether the model has anything to reply to: words or keys of the caller, or a tool result. */
function isUnanswered({ state }: Draft): boolean {
  const last = state.transcript.at(-1);
  return last !== undefined && (last.speaker === 'caller' || last.tool_calls !== undefined);
}

/** Says the greeting, or requests the first text from the model. In a menu or on hold, it waits for a person. */
export function open(draft: Draft): void {
  const { state } = draft;
  if (isNavigating(draft)) {
    state.opened = false;
    return;
  }
  state.opened = true;
  setDeadline(draft, 'opening', undefined);
  if (!state.announced) announce(draft);
  else if (state.plan.greeting === '') think(draft);
  else say(draft, state.plan.greeting, false);
}

/** Announces the recording before it begins. The announcement is played in full, whatever the caller does. */
function announce(draft: Draft): void {
  say(draft, draft.state.plan.recordingAnnouncement ?? '', false);
  patchReply(draft, { announces: true });
}

function mayAskToRepeat({ state }: Draft): boolean {
  const { unrecognised } = state.plan.conduct;
  return unrecognised !== null && state.feedback.unrecognised < unrecognised.most;
}

/** The speech was not recognized: plays a phrase, up to a maximum number of times per call. No tool is called, and the call continues. */
function askToRepeat(draft: Draft): void {
  const { state } = draft;
  state.feedback = { ...state.feedback, unrecognised: state.feedback.unrecognised + 1 };
  say(draft, state.plan.conduct.unrecognised?.phrase ?? '', false, true);
}

/** Words were lost, and the maximum number of phrases was played: the limit of the model also limits the silence that follows. */
function leaveUnheard(draft: Draft): void {
  oweReply(draft, true);
  boundReply(draft);
}

/**
 * Takes a typed turn, or one of keys. It needs no silence and no transcript.
 * @param before the turn that this one continues and replaces
 * @returns its id
 */
export function takeTurn(
  draft: Draft,
  said: { readonly text: string } | { readonly digits: string },
  before?: ConversationTurn,
): string {
  const { state, now } = draft;
  // An unfinished spoken turn is closed first.
  if (state.caller.segments.length > 0 && state.caller.speakingSince === null) closeCallerTurn(draft);
  const at = sinceAnswer(draft, now);
  const turn = {
    turn_id: before?.turn_id ?? newTurnId(draft),
    speaker: 'caller',
    started_ms: before?.started_ms ?? at,
    ended_ms: at,
  } as const;
  addTurn(draft, 'digits' in said ? { ...turn, text: '', digits: said.digits } : { ...turn, text: said.text });
  if (isAudible(state)) interrupt(draft, true);
  if (state.ending !== null) return turn.turn_id;
  // The turn is answered after the announcement, or when the caller's current speech ends.
  if (state.reply?.announces === true || state.caller.turnSince !== null) oweReply(draft, true);
  else {
    const turnEnd = { lastVoice: now, holdOverAt: now, endedAt: now };
    answer(draft, { text: 'digits' in said ? said.digits : said.text, counts: true, lost: false, turnEnd });
  }
  return turn.turn_id;
}

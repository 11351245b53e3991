import { closeCallerTurn, textOf } from './caller-turn';
import { isAudible, newTurnId, patchCaller, patchReply, setDeadline, sinceAnswer, type Draft } from './draft';
import { countedWords, interrupt } from './interruption';
import { boundReply, oweReply } from './owed-reply';
import { confirm, dropReply, hasMore, resume, say, think } from './reply';
import type { TurnEnd } from './state';
import { addTurn } from './utterance';
import { comparable } from './words';

/** The silence that ends the turn is over. A turn never ends before its final transcript. */
export function onEndOfTurn(draft: Draft): void {
  if (draft.state.caller.untranscribed) return patchCaller(draft, { due: draft.now });
  endTurn(draft, draft.now);
}

/** The transcriber gives nothing more: what it gave so far counts, and where that is nothing the turn ends unheard. */
export function onTranscriptDeadline(draft: Draft): void {
  settleTranscript(draft);
}

/** Partials count as finals; without any, the words are lost. */
export function settleTranscript(draft: Draft): void {
  const { caller } = draft.state;
  const segments = caller.segments.map((segment) => ({ ...segment, final: true }));
  const lost = caller.lost || textOf(caller) === '';
  patchCaller(draft, { untranscribed: false, segments, lost });
  setDeadline(draft, 'transcript', undefined);
  if (caller.speakingSince === null && caller.due !== null) endTurn(draft, caller.due);
}

/** @param holdOverAt when the silence was long enough */
export function endTurn(draft: Draft, holdOverAt: number): void {
  const { state, now } = draft;
  const { lastVoice, lost } = state.caller;
  const text = textOf(state.caller);
  const counts = countedWords(draft) > 0;
  closeCallerTurn(draft);
  if (state.ending !== null) return;
  // What was said over an agent that kept on speaking was a listening noise: it is written down, not answered.
  if (isAudible(state)) return;
  answer(draft, { text, counts, lost, turnEnd: { lastVoice, holdOverAt, endedAt: now } });
}

interface Said {
  readonly text: string;
  /** It holds words that are no listening noises. */
  readonly counts: boolean;
  /** Something was said that is not known. */
  readonly lost: boolean;
  readonly turnEnd: TurnEnd;
}

function answer(draft: Draft, { text, counts, lost, turnEnd }: Said): void {
  const { state } = draft;
  const { reply } = state;
  if (!state.opened) {
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
      return confirm(draft);
    }
    dropReply(draft);
  } else if (reply?.announces === true) {
    return resume(draft, text !== '');
  } else if (reply !== null) {
    // Tools go on; what they return is given to the model together with what was said.
    if (state.tools.length > 0) return;
    if (!counts && hasMore(draft, reply)) return resume(draft, text !== '');
    dropReply(draft);
  }
  state.turnEnd = turnEnd;
  if (text !== '') return think(draft);
  if (lost && mayAskToRepeat(draft)) return askToRepeat(draft);
  if (state.owed.owed && isUnanswered(draft)) return think(draft);
  if (lost) return leaveUnheard(draft);
  if (mayAskToRepeat(draft)) askToRepeat(draft);
}

/** Whether the model has something to reply to: words or keys of the caller, or what a tool returned. */
function isUnanswered({ state }: Draft): boolean {
  const last = state.transcript.at(-1);
  return last !== undefined && (last.speaker === 'caller' || last.tool_calls !== undefined);
}

/** Says the greeting, or lets the model find the first words. */
export function open(draft: Draft): void {
  const { state } = draft;
  state.opened = true;
  setDeadline(draft, 'opening', undefined);
  if (!state.announced) announce(draft);
  else if (state.plan.greeting === '') think(draft);
  else say(draft, state.plan.greeting, false);
}

/** Whoever is recorded is told so before: it is said to its end, whatever the caller does. */
function announce(draft: Draft): void {
  say(draft, draft.state.plan.recordingAnnouncement ?? '', false);
  patchReply(draft, { announces: true });
}

function mayAskToRepeat({ state }: Draft): boolean {
  const { unrecognised } = state.plan.conduct;
  return unrecognised !== null && state.feedback.unrecognised < unrecognised.most;
}

/** Speech that was not recognised: a phrase, so often a call; no tool is called and the call goes on. */
function askToRepeat(draft: Draft): void {
  const { state } = draft;
  state.feedback = { ...state.feedback, unrecognised: state.feedback.unrecognised + 1 };
  say(draft, state.plan.conduct.unrecognised?.phrase ?? '', false);
}

/** Words that were lost and cannot be asked for again: the clock of the model bounds the silence that follows. */
function leaveUnheard(draft: Draft): void {
  oweReply(draft, true);
  boundReply(draft);
}

/** A turn that was typed, or made of keys: it needs no silence and no transcript. */
export function takeTurn(draft: Draft, said: { readonly text: string } | { readonly digits: string }): void {
  const { state, now } = draft;
  // What was being said out loud comes first.
  if (state.caller.segments.length > 0 && state.caller.speakingSince === null) closeCallerTurn(draft);
  const at = sinceAnswer(draft, now);
  const turn = { turn_id: newTurnId(draft), speaker: 'caller', started_ms: at, ended_ms: at } as const;
  addTurn(draft, 'digits' in said ? { ...turn, text: '', digits: said.digits } : { ...turn, text: said.text });
  if (isAudible(state)) interrupt(draft, true);
  if (state.ending !== null) return;
  // It is answered after the announcement.
  if (state.reply?.announces === true) return oweReply(draft, true);
  // The end of what is being said out loud answers both.
  if (state.caller.turnSince !== null) return oweReply(draft, true);
  const turnEnd = { lastVoice: now, holdOverAt: now, endedAt: now };
  answer(draft, { text: 'digits' in said ? said.digits : said.text, counts: true, lost: false, turnEnd });
}

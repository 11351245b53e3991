import {
  clearDeadlines,
  isAudible,
  newTurnId,
  patchReply,
  patchUtterance,
  setDeadline,
  sinceAnswer,
  type Draft,
} from './draft';
import { stopAcknowledgement } from './feedback';
import { oweReply } from './owed-reply';
import type { Reply, Utterance } from './turn-state';
import type { ConversationTurn, TurnLatency } from './transcript';
import { longestWaits } from './waits';
import { isSayable, playedPart } from './words';

/** Passes the remaining text to the voice. The text waits while another utterance is in progress. */
export function speakMore(draft: Draft): void {
  const { state, effects } = draft;
  const { reply } = state;
  if (reply === null || reply.suspended || state.deadlines.voice !== undefined) return;
  const rest = copied(reply.text.slice(reply.spoken));
  if (state.utterance === null) {
    if (!isSayable(state, rest)) return;
    // During the caller's turn, of words or keys, a reply, to it or to the previous turn, is held.
    startUtterance(draft, reply, state.caller.turnSince !== null || reply.speculative);
  }
  const { utterance } = state;
  if (utterance === null || utterance.finished) return;
  if (rest !== '') {
    if (utterance.heardAt !== null && utterance.offset >= utterance.text.length)
      boundPlayout(draft, longestWaits.firstAudio);
    patchUtterance(draft, { text: utterance.text + rest });
    patchReply(draft, { spoken: reply.text.length });
    effects.push({ type: 'speak', utterance: utterance.utterance, text: rest });
  }
  if (!reply.complete) return;
  patchUtterance(draft, { finished: true });
  if (utterance.heardAt !== null) boundPlayout(draft, longestWaits.playout);
  effects.push({ type: 'finish_utterance', utterance: utterance.utterance });
}

/**
 * The same text, which does not keep the text of which it is a part in memory. Otherwise each piece of a reply that arrives in many pieces would keep a copy of
 * everything before it.
 */
const copied = (text: string): string => text.split('').join('');

function startUtterance(draft: Draft, { turnId, spoken: from, verbatim }: Reply, held: boolean): void {
  const { state, now } = draft;
  const utterance = state.counts.utterances + 1;
  state.counts = { ...state.counts, utterances: utterance };
  state.utterance = {
    utterance,
    turnId,
    from,
    text: '',
    finished: false,
    held,
    startedAt: now,
    audioAt: null,
    heardAt: null,
    durationMs: null,
    offset: 0,
  };
  setDeadline(draft, 'first_audio', now + longestWaits.firstAudio);
  const how = verbatim ? { verbatim } : {};
  draft.effects.push({ type: 'start_utterance', utterance, turnId, held, language: state.language, ...how });
}

/** Holds an utterance of which nothing was heard yet, because the caller is speaking. */
export function holdUtterance(draft: Draft): void {
  const { utterance } = draft.state;
  if (utterance === null || utterance.held || utterance.heardAt !== null) return;
  patchUtterance(draft, { held: true });
  draft.effects.push({ type: 'hold_utterance', utterance: utterance.utterance });
}

export function releaseUtterance(draft: Draft): void {
  const { utterance } = draft.state;
  if (utterance === null || !utterance.held) return;
  patchUtterance(draft, { held: false });
  draft.effects.push({ type: 'release_utterance', utterance: utterance.utterance });
  if (utterance.audioAt === null) setDeadline(draft, 'first_audio', draft.now + longestWaits.firstAudio);
  else beHeard(draft);
}

/** The agent becomes audible: its turn in the transcript begins. */
export function beHeard(draft: Draft): void {
  const { state, now } = draft;
  const { utterance } = state;
  if (utterance === null) return;
  state.voicelessSince = null;
  patchUtterance(draft, { heardAt: now });
  patchReply(draft, { unanswered: false });
  stopAcknowledgement(draft);
  oweReply(draft, false);
  // A line without audio reports no marks: the utterance lasts as long as its text takes to say, as soon as that is known.
  const unmarkedMs = state.watermarks.received === null ? (utterance.durationMs ?? 0) : 0;
  boundPlayout(draft, unmarkedMs + longestWaits.playout);
  awaitInterruption(draft);
  const at = sinceAnswer(draft, now);
  const latency = latencyOf(draft, utterance);
  state.turnEnd = null;
  addTurn(draft, {
    turn_id: utterance.turnId,
    speaker: 'agent',
    text: utterance.text,
    started_ms: at,
    ended_ms: at,
    ...(latency === undefined ? {} : { latency }),
  });
}

function latencyOf({ state, now }: Draft, { audioAt, startedAt }: Utterance): TurnLatency | undefined {
  const { turnEnd, reply } = state;
  if (turnEnd === null) return undefined;
  const { lastVoice, holdOverAt, endedAt } = turnEnd;
  return {
    end_of_turn_hold_ms: Math.round(holdOverAt - lastVoice),
    transcript_ms: Math.round(endedAt - holdOverAt),
    ...(reply === null || reply.firstDeltaAt === null
      ? {}
      : { model_first_ms: Math.round(reply.firstDeltaAt - reply.startedAt) }),
    speech_first_ms: Math.round((audioAt ?? now) - startedAt),
    total_ms: Math.round(now - lastVoice),
  };
}

/** Adds a turn, or replaces the one with the same id. */
export function addTurn({ state }: Draft, turn: ConversationTurn): void {
  const language = state.language === '' ? {} : { language: state.language };
  const known = state.transcript.find(({ turn_id }) => turn_id === turn.turn_id);
  if (known === undefined) state.transcript = [...state.transcript, { ...turn, ...language }];
  else changeTurn(state, turn.turn_id, turn);
}

export function changeTurn(state: Draft['state'], turnId: string, change: Partial<ConversationTurn>): void {
  state.transcript = state.transcript.map((turn) => (turn.turn_id === turnId ? { ...turn, ...change } : turn));
}

/** Stops the audible speech. The rest of the reply is kept until it is known whether the caller said something. */
export function stopUtterance(draft: Draft): void {
  const { utterance } = draft.state;
  if (utterance === null) return;
  draft.effects.push({ type: 'stop_utterance', utterance: utterance.utterance });
  closeUtterance(draft, utterance.offset, true);
}

/** Ends the utterance: its turn contains the text that was played. The reply may resume later. */
export function closeUtterance(draft: Draft, offset: number, interrupted: boolean): void {
  const { state } = draft;
  const { utterance, reply } = state;
  if (utterance === null) return;
  const heard = isAudible(state);
  const played = heard ? playedPart(utterance.text, offset) : 0;
  state.utterance = null;
  clearDeadlines(draft, 'first_audio', 'playout', 'interruption');
  if (heard) {
    changeTurn(state, utterance.turnId, {
      text: utterance.text.slice(0, played).trimEnd(),
      ended_ms: sinceAnswer(draft, draft.now),
      ...(interrupted ? { interrupted } : {}),
    });
    const { from, text, turnId } = utterance;
    if (played < text.length) state.stopped = { utterance: utterance.utterance, turnId, text, from };
  }
  if (reply?.turnId !== utterance.turnId) return;
  // Later text of the reply belongs to a new turn.
  patchReply(draft, { spoken: utterance.from + played, ...(heard ? { turnId: newTurnId(draft) } : {}) });
}

/** Sets the time at which the caller's speech over the agent becomes an interruption. */
export function awaitInterruption(draft: Draft): void {
  const { caller, utterance, plan } = draft.state;
  if (caller.speakingSince === null || utterance === null || utterance.heardAt === null) return;
  setDeadline(draft, 'interruption', Math.max(caller.speakingSince, utterance.heardAt) + plan.interruptionMs);
}

export function boundPlayout(draft: Draft, longest: number): void {
  setDeadline(draft, 'playout', draft.now + longest);
}

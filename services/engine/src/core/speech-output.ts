import { note, patchReply, patchUtterance, setDeadline, type Draft } from './draft';
import { finish } from './end';
import type { CallInput } from './inputs';
import { boundReply, oweReply } from './owed-reply';
import { notSpoken } from './problems';
import { dropReply } from './reply';
import type { Reply } from './turn-state';
import { beHeard, boundPlayout, changeTurn, closeUtterance } from './utterance';
import { longestVoicePauseMs, longestWaits, mostVoices, voicePauseMs } from './waits';
import { playedPart } from './words';

type Given<Type extends CallInput['type']> = Extract<CallInput, { type: Type }>;

export function onSpeechAudio(draft: Draft, input: Given<'speech_audio'>): void {
  const { utterance } = draft.state;
  if (utterance?.utterance !== input.utterance || utterance.audioAt !== null) return;
  patchUtterance(draft, { audioAt: draft.now });
  setDeadline(draft, 'first_audio', undefined);
  if (!utterance.held) beHeard(draft);
}

export function onSpeechDone(draft: Draft, input: Given<'speech_done'>): void {
  const { utterance } = draft.state;
  if (utterance?.utterance !== input.utterance || !utterance.finished) return;
  patchUtterance(draft, { durationMs: input.durationMs });
  // A line without audio reports no marks: the utterance is considered played after the time that its text takes to say.
  if (draft.state.watermarks.received === null && utterance.heardAt !== null)
    boundPlayout(draft, utterance.heardAt + input.durationMs - draft.now + longestWaits.playout);
}

export function onPlayed(draft: Draft, input: Given<'played'>): void {
  const { state } = draft;
  const { utterance, stopped } = state;
  if (utterance?.utterance === input.utterance) {
    if (utterance.heardAt === null) return;
    if (input.offset <= utterance.offset) return;
    patchUtterance(draft, { offset: input.offset });
    if (state.watermarks.received !== null) boundPlayout(draft, longestWaits.playout);
  } else if (stopped?.utterance === input.utterance) {
    // This is the last mark of the stopped utterance: its text was heard up to there.
    const played = playedPart(stopped.text, input.offset);
    const turn = state.transcript.find(({ turn_id }) => turn_id === stopped.turnId);
    if (turn === undefined || played <= turn.text.length) return;
    changeTurn(state, stopped.turnId, { text: stopped.text.slice(0, played).trimEnd() });
    const { reply } = state;
    if (reply?.suspended === true) patchReply(draft, { spoken: Math.max(reply.spoken, stopped.from + played) });
  }
}

export function onPlayoutFinished(draft: Draft, input: Given<'playout_finished'>): void {
  const { utterance } = draft.state;
  if (utterance?.utterance !== input.utterance || !utterance.finished || utterance.heardAt === null) return;
  closeUtterance(draft, utterance.text.length, false);
}

/** Playback has made no progress for too long. What the line did not play was not heard. */
export function onPlayoutDeadline(draft: Draft): void {
  const { utterance, watermarks } = draft.state;
  if (utterance === null || utterance.heardAt === null) return;
  // The utterance waits for the model, which has its own deadline.
  if (!utterance.finished && utterance.offset >= utterance.text.length) return;
  if (utterance.durationMs === null) return onVoiceFailed(draft);
  // A line without audio reports no marks.
  const isOver = watermarks.received === null && draft.now >= utterance.heardAt + utterance.durationMs;
  if (!isOver) draft.effects.push({ type: 'stop_utterance', utterance: utterance.utterance });
  closeUtterance(draft, isOver ? utterance.text.length : utterance.offset, false);
}

export function onSpeechFailed(draft: Draft, input: Given<'speech_failed'>): void {
  if (draft.state.utterance?.utterance === input.utterance) onVoiceFailed(draft, input.refused === true);
}

/**
 * The voice is requested again with the text that was not heard: once immediately, then at growing intervals. A text that it refuses is skipped. The call ends
 * only if the agent was not audible for too long.
 */
export function onVoiceFailed(draft: Draft, refused = false): void {
  const { state, now } = draft;
  const { reply, utterance } = state;
  if (reply === null || utterance === null) return;
  state.voicelessSince ??= now;
  if (reply.speculative) return dropReply(draft);
  draft.effects.push({ type: 'stop_utterance', utterance: utterance.utterance });
  closeUtterance(draft, utterance.offset, false);
  const failures = reply.voiceFailures + 1;
  patchReply(draft, { voiceFailures: failures });
  if (now - state.voicelessSince >= longestWaits.voiceless)
    return finish(draft, 'agent_unresponsive', true, 'voice_unavailable');
  if (refused && !reply.announces) return skip(draft, reply);
  if (failures >= mostVoices)
    setDeadline(draft, 'voice', now + Math.min(longestVoicePauseMs, voicePauseMs * 2 ** (failures - mostVoices)));
}

/** The rest of the text is not said. A caller who waits for it is still owed a reply. */
function skip(draft: Draft, { text, endsCall }: Reply): void {
  note(draft, notSpoken);
  patchReply(draft, { spoken: text.length });
  if (endsCall || draft.state.transcript.every(({ speaker }) => speaker === 'agent')) return;
  oweReply(draft, true);
  boundReply(draft);
}

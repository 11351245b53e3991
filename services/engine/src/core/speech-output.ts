import { patchReply, patchUtterance, setDeadline, type Draft } from './draft';
import { finish } from './end';
import type { CallInput } from './inputs';
import { dropReply } from './reply';
import { beHeard, boundPlayout, changeTurn, closeUtterance } from './utterance';
import { longestWaits, mostVoices } from './waits';
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

/** Playback has made no progress for too long. */
export function onPlayoutDeadline(draft: Draft): void {
  const { utterance } = draft.state;
  if (utterance === null || utterance.heardAt === null) return;
  // The utterance waits for the model, which has its own deadline.
  if (!utterance.finished && utterance.offset >= utterance.text.length) return;
  if (utterance.durationMs === null) return onVoiceFailed(draft);
  const marksWereLost = draft.now >= utterance.heardAt + utterance.durationMs;
  if (!marksWereLost) draft.effects.push({ type: 'stop_utterance', utterance: utterance.utterance });
  closeUtterance(draft, marksWereLost ? utterance.text.length : utterance.offset, false);
}

export function onSpeechFailed(draft: Draft, input: Given<'speech_failed'>): void {
  if (draft.state.utterance?.utterance === input.utterance) onVoiceFailed(draft);
}

/** The voice is requested once more with the text that was not heard. Without a voice, the agent cannot continue. */
export function onVoiceFailed(draft: Draft): void {
  const { reply, utterance } = draft.state;
  if (reply === null || utterance === null) return;
  if (reply.speculative) return dropReply(draft);
  if (reply.voiceFailures + 1 >= mostVoices) return finish(draft, 'agent_unresponsive', true, 'model_unresponsive');
  draft.effects.push({ type: 'stop_utterance', utterance: utterance.utterance });
  closeUtterance(draft, utterance.offset, false);
  patchReply(draft, { voiceFailures: reply.voiceFailures + 1 });
}

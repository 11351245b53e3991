import { nonHumanMs } from './answer-detection';
import { clearDeadlines, isAudible, patchCaller, setDeadline, type Draft } from './draft';
import { stopFeedback } from './feedback';
import { onInterruption } from './interruption';
import { followMusic, isNavigating } from './navigation';
import { speculate } from './reply';
import type { CallerState } from './turn-state';
import { awaitInterruption, holdUtterance } from './utterance';
import { finishedFrom, leastHeardMs, longestWaits } from './waits';

/** The other party was heard: a voice without music, or words. From now on the rules for silence and for music do not apply to this call. */
export function beHeardOnce(draft: Draft): void {
  const { state } = draft;
  if (!state.evidence.speech) state.evidence = { ...state.evidence, speech: true };
  clearDeadlines(draft, 'heard', 'no_speech', 'non_human');
}

export function onSpeechStarted(draft: Draft, since: number): void {
  const { state, now } = draft;
  const { caller, reply } = state;
  if (caller.speakingSince !== null) return;
  patchCaller(draft, { speakingSince: since, turnSince: caller.turnSince ?? since, due: null, finished: null });
  state.watermarks = { ...state.watermarks, voiced: null };
  clearDeadlines(draft, 'opening', 'end_of_turn', 'transcript');
  setDeadline(draft, 'speech', now + longestWaits.speech);
  if (!state.evidence.speech && !state.music) setDeadline(draft, 'heard', since + leastHeardMs);
  if (isAudible(state)) return awaitInterruption(draft);
  if (reply === null || reply.speculative || state.tools.length > 0 || state.ending !== null) return;
  // The reply waits until it is known whether the caller said something.
  stopFeedback(draft);
  clearDeadlines(draft, 'first_delta');
  holdUtterance(draft);
}

export function onSpeechEnded(draft: Draft, lastVoice: number): void {
  const { state, now } = draft;
  const { caller, utterance } = state;
  if (caller.speakingSince === null) return;
  clearDeadlines(draft, 'speech', 'heard', 'interruption');
  const { speakingSince } = caller;
  patchCaller(draft, { speakingSince: null, lastVoice });
  if (!state.music && lastVoice - speakingSince >= leastHeardMs) beHeardOnce(draft);
  if (utterance !== null && utterance.heardAt !== null) {
    const overAgent = lastVoice - Math.max(speakingSince, utterance.heardAt);
    if (overAgent >= state.plan.interruptionMs) onInterruption(draft);
  }
  awaitTranscript(draft);
  setDeadline(draft, 'end_of_turn', Math.max(now, lastVoice + turnEndDelay(draft)));
  speculate(draft);
}

/** Returns whether the text of the caller's speech is complete; otherwise requests it from the transcriber. */
function awaitTranscript(draft: Draft): void {
  const { state, now } = draft;
  const { caller } = state;
  if (!state.listening) return patchCaller(draft, { lost: true, untranscribed: false });
  const isKnown =
    caller.finalAt !== null &&
    caller.finalAt >= caller.lastVoice &&
    caller.segments.length > 0 &&
    !hasOpenSegment(caller);
  patchCaller(draft, { untranscribed: !isKnown });
  if (isKnown) return;
  draft.effects.push({ type: 'finalize_transcript' });
  setDeadline(draft, 'transcript', now + longestWaits.transcript);
}

export const hasOpenSegment = ({ segments }: CallerState): boolean => segments.some(({ final }) => !final);

/** The duration of silence after the last voice that ends the turn. */
function turnEndDelay({ state: { caller, plan } }: Draft): number {
  const { finished, unfinished, withoutDetector } = plan.endOfTurn;
  const probability = caller.finished ?? caller.judged;
  if (probability === null) return withoutDetector;
  return probability >= finishedFrom ? finished : unfinished;
}

/** The hint applies to the current pause, or to the next one if the caller is speaking. */
export function onTurnHint(draft: Draft, probability: number): void {
  patchCaller(draft, { finished: probability });
  delayTurnEnd(draft);
  speculate(draft);
}

/** A new probability changes the delay of the current pause. */
export function delayTurnEnd(draft: Draft): void {
  const { caller } = draft.state;
  if (caller.turnSince === null || caller.speakingSince !== null) return;
  const at = caller.lastVoice + turnEndDelay(draft);
  // The turn may have become due with a shorter delay. While the transcript is pending, a longer delay makes it not due again.
  if (caller.due !== null && at > draft.now) patchCaller(draft, { due: null });
  if (draft.state.caller.due === null) setDeadline(draft, 'end_of_turn', Math.max(draft.now, at));
}

export function onMusicStarted(draft: Draft): void {
  const { state, now } = draft;
  const { plan, evidence } = state;
  state.music = true;
  setDeadline(draft, 'heard', undefined);
  if (!evidence.music) state.evidence = { ...evidence, music: true };
  followMusic(draft);
  if (isNavigating(draft)) return;
  if (plan.nonHumanAudio === 'end_call' && !evidence.speech) setDeadline(draft, 'non_human', now + nonHumanMs);
}

export function onMusicEnded(draft: Draft): void {
  draft.state.music = false;
  setDeadline(draft, 'non_human', undefined);
}

import { capsSpend, onSpendCap } from './control';
import { setDeadline, type Draft } from './draft';
import { fail, finish } from './end';
import { hush, onAcknowledgement, onToolWait } from './feedback';
import { beHeardOnce, onSpeechEnded } from './hearing';
import { onInterruption } from './interruption';
import { onKeysDeadline } from './keys';
import { onFirstDeltaDeadline, onStall } from './model';
import { onNavigationLimit } from './navigation';
import { onPlayoutDeadline, onVoiceFailed } from './speech-output';
import type { DeadlineName } from './state';
import { onToolDeadline, onVoicemailDue } from './tools';
import { awaitSpeech } from './transfer';
import { onEndOfTurn, onTranscriptDeadline, open } from './turn-end';
import { leastHeardMs } from './waits';

/** How long the detector may take to detect a voice. Speech that is in progress when the deadline passes is evaluated first. */
const judgingMs = 1_000;

/** Performs the action of a deadline at `draft.now`. */
export function meet(draft: Draft, name: DeadlineName): void {
  switch (name) {
    case 'max_call':
      return capsSpend(draft.state.plan) ? onSpendCap(draft) : finish(draft, 'max_call_duration_reached', true);
    case 'ringing':
      return fail(draft, 'no_answer', true);
    case 'media':
    case 'line':
      return finish(draft, 'carrier_failure', true);
    case 'heard':
      return beHeardOnce(draft);
    case 'no_speech':
      return onNoSpeech(draft);
    case 'transfer':
      return awaitSpeech(draft);
    case 'non_human':
      return finish(draft, 'no_human_after_answer', true);
    case 'navigation_limit':
    case 'hold_limit':
      return onNavigationLimit(draft, name);
    case 'transcriber':
      return finish(draft, 'agent_unresponsive', true, 'transcriber_unavailable');
    case 'model_unresponsive':
    case 'first_delta':
      return onFirstDeltaDeadline(draft);
    case 'stall':
      return onStall(draft);
    case 'first_audio':
      return onFirstAudio(draft);
    case 'voice':
      // The rest of the reply is passed to the voice again.
      return;
    case 'playout':
      return onPlayoutDeadline(draft);
    case 'tool':
      return onToolDeadline(draft);
    case 'beep':
      return onVoicemailDue(draft);
    case 'speech':
      // The message that reports the end of the speech was lost.
      return onSpeechEnded(draft, draft.now);
    case 'interruption':
      return onInterruption(draft);
    case 'end_of_turn':
      return onEndOfTurn(draft);
    case 'transcript':
      return onTranscriptDeadline(draft);
    case 'keys':
      return onKeysDeadline(draft);
    case 'acknowledgement':
      return onAcknowledgement(draft);
    case 'tool_wait':
      return onToolWait(draft);
    case 'tool_sound':
      return hush(draft);
    case 'opening':
      return open(draft);
  }
}

function onNoSpeech(draft: Draft): void {
  const { caller, music } = draft.state;
  const judgedBy = caller.speakingSince === null || music ? draft.now : caller.speakingSince + leastHeardMs + judgingMs;
  if (judgedBy > draft.now) return setDeadline(draft, 'no_speech', judgedBy);
  finish(draft, 'no_caller_speech_after_answer', true);
}

/** The voice has produced no audio. This does not apply to an utterance that is held back: its deadline restarts when it is released. */
function onFirstAudio(draft: Draft): void {
  if (draft.state.utterance?.held === true) return;
  onVoiceFailed(draft);
}

import { onBeep, onTone } from './answer-detection';
import { onControl, talkingMs } from './control';
import { patchCaller, setDeadline, type Draft } from './draft';
import { fail, finish } from './end';
import { onHandOver } from './hand-over';
import { onMusicEnded, onMusicStarted, onSpeechEnded, onSpeechStarted, onTurnHint, beHeardOnce } from './hearing';
import type { CallInput, ControlInput } from './inputs';
import { onPressed, pauseRecording } from './keys';
import { onModelDelta, onModelDone, onModelFailed, onModelToolCall } from './model';
import { onFinal, onPartial, onTranscriberFailed, onTranscriberOpened } from './recognition';
import { onPlayed, onPlayoutFinished, onSpeechAudio, onSpeechDone, onSpeechFailed } from './speech-output';
import { onToolEnded } from './tools';
import { goOn } from './resume';
import { open, takeTurn } from './turn-end';
import { longestWaits } from './waits';

/** Handles events of the platform and the carrier. Returns false for any other input. */
export function onLine(draft: Draft, input: Exclude<CallInput, { type: 'tick' }>): boolean {
  const { state } = draft;
  switch (input.type) {
    case 'permitted':
    case 'refused':
      onPermit(draft, input.type === 'permitted');
      return true;
    case 'answered':
      onAnswered(draft);
      return true;
    case 'media_started':
      onMediaStarted(draft, input.received);
      return true;
    case 'failed':
      if (state.answeredAt === null) fail(draft, input.reason, false);
      else finish(draft, input.reason, false, input.detail);
      return true;
    case 'hung_up':
      if (state.answeredAt === null) fail(draft, 'no_answer', false);
      else finish(draft, state.plan.farEndHangsUp, false);
      return true;
    case 'cancel_requested':
      onCancelRequested(draft);
      return true;
    case 'lease_lost':
      onLeaseLost(draft);
      return true;
    case 'hand_over':
      onHandOver(draft, input.atOnce);
      return true;
    default:
      return false;
  }
}

function onPermit(draft: Draft, permitted: boolean): void {
  const { state, effects } = draft;
  if (state.phase !== 'asking') return;
  if (!permitted) {
    state.phase = 'over';
    effects.push({ type: 'drop' });
  } else if (state.canceled) {
    fail(draft, 'canceled', false);
  } else {
    state.phase = 'ringing';
    setDeadline(draft, 'ringing', draft.now + longestWaits.ringing);
    effects.push({ type: 'dial' });
  }
}

function onAnswered(draft: Draft): void {
  const { state, now } = draft;
  if (state.phase !== 'ringing') return;
  state.phase = 'answered';
  const answeredAt = state.answeredAt ?? now;
  state.answeredAt = answeredAt;
  setDeadline(draft, 'ringing', undefined);
  setDeadline(draft, 'media', now + longestWaits.media);
  setDeadline(draft, 'max_call', answeredAt + talkingMs(state.plan));
  if (state.resumed !== null) return;
  setDeadline(draft, 'no_speech', now + state.plan.noCallerSpeechMs);
  draft.effects.push({ type: 'report', event: { type: 'answered' } });
}

/** Media is available from now on: the opening begins. */
function onMediaStarted(draft: Draft, received: number | null): void {
  const { state, now } = draft;
  if (state.phase !== 'answered') return;
  state.phase = 'talking';
  state.watermarks = { received, voiced: null };
  patchCaller(draft, { lastVoice: now });
  setDeadline(draft, 'media', undefined);
  if (received !== null) setDeadline(draft, 'line', received + longestWaits.line);
  if (!state.announced) pauseRecording(draft, 'announcement', true);
  if (state.resumed !== null) return goOn(draft, state.resumed);
  draft.effects.push({ type: 'report', event: { type: 'media_started' } });
  if (state.plan.firstSpeaker === 'agent') open(draft);
  else setDeadline(draft, 'opening', now + state.plan.silenceWaitMs);
}

function onCancelRequested(draft: Draft): void {
  const { state } = draft;
  if (state.phase === 'asking') state.canceled = true;
  else if (state.answeredAt === null) fail(draft, 'canceled', true);
  else finish(draft, 'canceled', true);
}

/** Another worker or the platform now controls this call. The line is released and no further reports are written. */
function onLeaseLost({ state, effects }: Draft): void {
  const dialed = state.phase !== 'asking';
  if (state.reply !== null && state.reply.attempt !== null && !state.reply.complete)
    effects.push({ type: 'cancel_model', attempt: state.reply.attempt });
  if (state.utterance !== null) effects.push({ type: 'stop_utterance', utterance: state.utterance.utterance });
  for (const { call } of state.tools) effects.push({ type: 'cancel_tool', toolCallId: call.id });
  state.phase = 'over';
  state.deadlines = {};
  if (dialed) effects.push({ type: 'hang_up' });
  effects.push({ type: 'drop' });
}

/** Handles events of the conversation. */
export function onTalk(draft: Draft, input: Exclude<CallInput, { type: 'tick' }>): void {
  switch (input.type) {
    case 'speech_started':
      return onSpeechStarted(draft, input.since);
    case 'speech_ended':
      return onSpeechEnded(draft, input.lastVoice);
    case 'music_started':
      return onMusicStarted(draft);
    case 'music_ended':
      return onMusicEnded(draft);
    case 'beep':
      return onBeep(draft);
    case 'tone':
      return onTone(draft, input);
    case 'pressed':
      return onPressed(draft, input.digits);
    case 'typed':
      return onTyped(draft, input.text.trim());
    case 'partial':
      return onPartial(draft, input);
    case 'final':
      return onFinal(draft, input);
    case 'transcriber_failed':
      return onTranscriberFailed(draft, input);
    case 'transcriber_opened':
      return onTranscriberOpened(draft);
    case 'turn_hint':
      return onTurnHint(draft, input.finished);
    case 'model_delta':
      return onModelDelta(draft, input);
    case 'model_tool_call':
      return onModelToolCall(draft, input);
    case 'model_done':
      return onModelDone(draft, input);
    case 'model_failed':
      return onModelFailed(draft, input);
    case 'tool_ended':
      return onToolEnded(draft, input);
    case 'speech_audio':
      return onSpeechAudio(draft, input);
    case 'speech_done':
      return onSpeechDone(draft, input);
    case 'speech_failed':
      return onSpeechFailed(draft, input);
    case 'played':
      return onPlayed(draft, input);
    case 'playout_finished':
      return onPlayoutFinished(draft, input);
    default:
      return onControl(draft, input as ControlInput);
  }
}

function onTyped(draft: Draft, text: string): void {
  if (text === '') return;
  beHeardOnce(draft);
  setDeadline(draft, 'opening', undefined);
  takeTurn(draft, { text });
}

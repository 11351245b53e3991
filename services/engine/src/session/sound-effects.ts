import type { CallEffect } from '../core/effects';
import type { CallState } from '../core/state';
import type { CallLine } from './call-line';

type SoundEffect = Exclude<
  CallEffect,
  {
    type:
      | 'report'
      | 'dial'
      | 'note'
      | 'start_model'
      | 'cancel_model'
      | 'confirm_model'
      | 'call_tool'
      | 'cancel_tool'
      | 'hang_up'
      | 'hand_over'
      | 'complete'
      | 'drop';
  }
>;

/** Performs an effect on the audio of the call. */
export function performSound(effect: SoundEffect, line: CallLine, { language, recordingPauses }: CallState): void {
  switch (effect.type) {
    case 'start_utterance':
      return line.start(effect);
    case 'speak':
      return line.speak(effect.utterance, effect.text);
    case 'finish_utterance':
      return line.finish(effect.utterance);
    case 'release_utterance':
      return line.release(effect.utterance);
    case 'hold_utterance':
      return line.hold(effect.utterance);
    case 'stop_utterance':
      return line.stop(effect.utterance);
    case 'say_aside':
      return line.sayAside(effect.text, language);
    case 'typing_sound':
      return line.typingSound();
    case 'stop_aside':
      return line.stopAside();
    case 'press':
      return line.press(effect.digits);
    case 'finalize_transcript':
      return line.finalizeTranscript();
    case 'reopen_transcriber':
      return line.reopenTranscriber();
    case 'set_language':
      return line.setLanguage(effect.language);
    case 'set_muted':
      return line.setMuted(effect.muted);
    case 'pause_recording':
    case 'resume_recording':
      return line.setRecording(recordingPauses.length > 0);
  }
}

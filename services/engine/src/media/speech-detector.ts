import { windowMs } from './voice-model';

/** The speech probability from which a window begins speech. */
export const startsAt = 0.5;
const endsBelow = 0.35;
/** Silence after which speech has ended; the end is reported this long after the last voice. */
const endsAfterMs = 250;

/** All times are milliseconds of received audio, never of a clock: a burst of delayed audio does not end speech early. */
export type SpeechChange =
  | { readonly type: 'speech_started'; readonly since: number }
  | { readonly type: 'speech_ended'; readonly since: number; readonly lastVoice: number };

/** Detects speech in one voice from the probabilities of its windows. */
export class SpeechDetector {
  speaking = false;
  private since = 0;
  /** The end of the last window with voice. */
  lastVoice = 0;
  /** How far windows were processed. */
  position = 0;

  /** Takes the next window. Returns what changed. */
  take(probability: number): SpeechChange | undefined {
    const began = this.position;
    this.position += windowMs;
    if (!this.speaking) {
      if (probability < startsAt) return undefined;
      this.speaking = true;
      this.since = began;
      this.lastVoice = this.position;
      return { type: 'speech_started', since: began };
    }
    if (probability >= endsBelow) this.lastVoice = this.position;
    if (this.position - this.lastVoice < endsAfterMs) return undefined;
    this.speaking = false;
    return { type: 'speech_ended', since: this.since, lastVoice: this.lastVoice };
  }
}

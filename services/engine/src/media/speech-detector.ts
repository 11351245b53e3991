import { windowMs } from './voice-model';

/** The probability from which a window begins speech. */
export const startsAt = 0.5;
const endsBelow = 0.35;
/** Silence after which speech has ended; its report comes this much after the last voice. */
const endsAfterMs = 250;

/** All times are milliseconds of received audio, never of a clock: audio that comes late and at once ends no speech early. */
export type SpeechChange =
  | { readonly type: 'speech_started'; readonly since: number }
  | { readonly type: 'speech_ended'; readonly since: number; readonly lastVoice: number };

/** Speech of one voice, out of the probabilities of its windows. */
export class SpeechDetector {
  speaking = false;
  private since = 0;
  /** Where the last window with a voice ended. */
  lastVoice = 0;
  /** Up to where windows were taken. */
  position = 0;

  /** Takes the next window. Returns what changed with it. */
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

import { windowMs } from './voice-model';

/** The minimum speech probability of a window that begins speech. */
export const startsAt = 0.5;
const endsBelow = 0.35;
/** Duration of silence after which speech has ended. The end is therefore reported this long after the last voice. */
const endsAfterMs = 250;

/** Times are milliseconds of received audio, not of a clock, so that a burst of delayed audio does not end speech early. */
export type SpeechChange =
  | { readonly type: 'speech_started'; readonly since: number }
  | { readonly type: 'speech_ended'; readonly since: number; readonly lastVoice: number };

/** Detects when one voice speaks, from the speech probabilities of its windows. */
export class SpeechDetector {
  speaking = false;
  private since = 0;
  /** The end of the last window with voice. */
  lastVoice = 0;
  /** The position up to which windows were processed. */
  position = 0;

  /** Takes the next window. @returns the change, if any */
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

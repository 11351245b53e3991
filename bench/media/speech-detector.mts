import { windowSamples } from './voice-activity.mts';

const startsAt = 0.5;
const endsBelow = 0.35;
/** The silence after which speech has ended, in samples. The end is therefore reported this long after the last voice. */
const endsAfter = (250 * 8_000) / 1000;

/** Detects when one caller speaks, from the speech probabilities of the windows. Times are samples of received audio, not of a clock. */
export class SpeechDetector {
  speaking = false;
  /** The beginning of the current speech, or of the last one. */
  since = 0;
  /** The end of the last window with voice. */
  lastVoice = 0;
  private position = 0;

  /** @returns the change, if any */
  take(probability: number): 'started' | 'ended' | undefined {
    const began = this.position;
    this.position += windowSamples;
    if (!this.speaking) {
      if (probability < startsAt) return undefined;
      this.speaking = true;
      this.since = began;
      this.lastVoice = this.position;
      return 'started';
    }
    if (probability >= endsBelow) this.lastVoice = this.position;
    if (this.position - this.lastVoice < endsAfter) return undefined;
    this.speaking = false;
    return 'ended';
  }
}

import { windowSamples } from './voice-activity.mts';

const startsAt = 0.5;
const endsBelow = 0.35;
/** Silence after which speech has ended; its report comes this much after the last voice. */
const endsAfter = (250 * 8_000) / 1000;

/** Speech of one caller out of the probabilities of its windows. All times are samples of the audio received, never of a clock. */
export class SpeechDetector {
  speaking = false;
  /** Where the speech began; of the last one when there is none now. */
  since = 0;
  /** Where the last window with a voice ended. */
  lastVoice = 0;
  private position = 0;

  /** Returns what changed with this window. */
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

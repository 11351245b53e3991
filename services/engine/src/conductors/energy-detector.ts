/** 20 ms at 16,000 samples a second. */
const frameSamples = 320;
const frameMs = 20;
/** Frames in a row that begin speech: a click is none. */
const startFrames = 3;
/** Without voice for so long speech has ended. */
const endFrames = 15;
/** Kept from before the beginning: the first sound of a word is a quiet one. */
const leadFrames = 15;
/** An utterance is handed over at this length, however long it goes on. */
const mostFrames = 1_500;
/** Of full scale 32,768: what no microphone's noise reaches. */
const leastLevel = 300;
/** Times the level of the noise. */
const overNoise = 3;

export interface SpeechListener {
  started(): void;
  /** @param samples of the utterance, with a little before and after it */
  ended(samples: Int16Array): void;
}

/**
 * Tells speech from silence by its level alone, over a noise that it follows: for a quiet room, in development. Time is that of the samples; `flush` ends
 * what no further samples end.
 */
export class EnergyDetector {
  private rest = new Int16Array(0);
  private lead: Int16Array[] = [];
  private utterance: Int16Array[] | undefined;
  private loud = 0;
  private quiet = 0;
  private noise = leastLevel / overNoise;

  constructor(private readonly listener: SpeechListener) {}

  /** Whether speech has begun and not ended. */
  get hearsSpeech(): boolean {
    return this.utterance !== undefined;
  }

  hear(samples: Int16Array): void {
    const joined = new Int16Array(this.rest.length + samples.length);
    joined.set(this.rest);
    joined.set(samples, this.rest.length);
    let at = 0;
    for (; at + frameSamples <= joined.length; at += frameSamples) this.frame(joined.slice(at, at + frameSamples));
    this.rest = joined.slice(at);
  }

  /** Nothing comes any more. */
  flush(): void {
    if (this.utterance !== undefined) this.end(this.utterance);
  }

  private frame(frame: Int16Array): void {
    const level = levelOf(frame);
    const voiced = level > Math.max(leastLevel, this.noise * overNoise);
    // Down at once, up slowly: about 10 dB in a second.
    if (!voiced) this.noise = level < this.noise ? level : this.noise * 0.95 + level * 0.05;
    if (this.utterance === undefined) return this.waiting(frame, voiced);
    this.utterance.push(frame);
    this.quiet = voiced ? 0 : this.quiet + 1;
    if (this.quiet >= endFrames || this.utterance.length >= mostFrames) this.end(this.utterance);
  }

  private waiting(frame: Int16Array, voiced: boolean): void {
    this.lead.push(frame);
    if (this.lead.length > leadFrames) this.lead.shift();
    this.loud = voiced ? this.loud + 1 : 0;
    if (this.loud < startFrames) return;
    [this.utterance, this.lead, this.quiet] = [this.lead, [], 0];
    this.listener.started();
  }

  private end(utterance: readonly Int16Array[]): void {
    this.utterance = undefined;
    this.loud = 0;
    const samples = new Int16Array(utterance.length * frameSamples);
    utterance.forEach((frame, index) => samples.set(frame, index * frameSamples));
    this.listener.ended(samples);
  }
}

/** The root of the mean square. */
function levelOf(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return Math.sqrt(sum / frame.length);
}

/** Without a frame for so long a microphone was switched off: see `flush`. */
export const silentAfterMs = 25 * frameMs;

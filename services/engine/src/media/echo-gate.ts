import type { SampleRate } from '../lines/line';
import { Correlator } from './correlation';

/** Both signals are compared at this rate. Most of the energy of speech is below 1 kHz, and a search costs a sixteenth of one at 8 kHz. */
const comparedRate = 2_000;
const perMs = comparedRate / 1000;
/** The length of the compared input. In shorter pieces, two different voices are too similar. */
const comparedMs = 256;
/** The range of echo delays: from half a packet early, because clocks differ, to an intercontinental round trip. */
export const earliestEchoMs = -60;
const latestMs = 640;
/** Older playback does not return as echo. */
export const echoMemoryMs = comparedMs + latestMs;
const referenceMs = echoMemoryMs - earliestEchoMs;
/** The minimum correlation of echo: at any delay, and near the previous delay. */
const [leastAnywhere, leastWhereKnown] = [0.6, 0.45];
/** The search range around the previous delay. */
const knownWithinMs = 24;
/** A full search is expensive, so without echo it is done only at every fourth window with voice. */
const searchEvery = 4;
/** Minimum power of the playback: below -60 dB of full scale, there is no echo. */
const leastReference = 0.001 ** 2;

/** Working memory of all calls, because each search finishes before the next one begins. */
const everywhere = new Correlator(referenceMs * perMs);
const played = new Float32Array(referenceMs * perMs);
const whitened = new Float32Array(referenceMs * perMs);
const heardWhitened = new Float32Array(comparedMs * perMs);
const references = new Map<SampleRate, Int16Array>();

/**
 * Distinguishes the agent's own voice, returned by the line as echo, from the caller's. Input is echo if it correlates with earlier playback at some delay. A
 * caller who talks over the echo lowers the correlation.
 */
export class EchoGate {
  private readonly factor: number;
  private readonly heard = new Float32Array(comparedMs * perMs);
  private knownLag: number | undefined;
  private sinceSearch = searchEvery;

  constructor(private readonly sampleRate: SampleRate) {
    this.factor = sampleRate / comparedRate;
  }

  /** The number of playback samples that `isEcho` needs. */
  get referenceSamples(): number {
    return (referenceMs * this.sampleRate) / 1000;
  }

  /** An array for the playback samples of the next `isEcho`. All calls of a sample rate share it. */
  get reference(): Int16Array {
    const known = references.get(this.sampleRate);
    if (known !== undefined) return known;
    const reference = new Int16Array(this.referenceSamples);
    references.set(this.sampleRate, reference);
    return reference;
  }

  /** Appends the next input samples, between -1 and 1. */
  append(window: Float32Array): void {
    const count = window.length / this.factor;
    this.heard.copyWithin(0, count);
    for (let n = 0; n < count; n += 1) {
      let sum = 0;
      for (let k = 0; k < this.factor; k += 1) sum += window[n * this.factor + k] as number;
      this.heard[this.heard.length - count + n] = sum / this.factor;
    }
  }

  /**
   * Whether the last appended input is echo. `reference` contains `referenceSamples` samples of the playback, up to `earliestEchoMs` from now, which is in the
   * future.
   */
  isEcho(reference: Int16Array): boolean {
    this.compare(reference);
    let power = 0;
    for (let n = 0; n < played.length; n += 1) power += (played[n] as number) ** 2;
    if (power / played.length < leastReference) return false;
    const heard = heardWhitened;
    difference(this.heard, heard);
    difference(played, whitened);
    const lags = played.length - heard.length;
    if (this.knownLag !== undefined) {
      const near = knownWithinMs * perMs;
      const [from, until] = [Math.max(0, this.knownLag - near), Math.min(lags, this.knownLag + near)];
      if (this.matches(bestLag(heard, whitened, from, until), leastWhereKnown)) return true;
    }
    this.sinceSearch += 1;
    if (this.knownLag !== undefined && this.sinceSearch < searchEvery) return false;
    this.sinceSearch = 0;
    return this.matches(bestLag(heard, whitened, 0, lags, everywhere.correlate(heard, whitened)), leastAnywhere);
  }

  private matches({ lag, correlation }: { lag: number; correlation: number }, least: number): boolean {
    if (correlation < least) return false;
    this.knownLag = lag;
    return true;
  }

  /** Reduces the playback to the compared rate, as `played`. */
  private compare(samples: Int16Array): void {
    const { factor } = this;
    for (let n = 0; n < played.length; n += 1) {
      let sum = 0;
      for (let k = 0; k < factor; k += 1) sum += samples[n * factor + k] as number;
      played[n] = sum / (factor * 32_768);
    }
  }
}

/** Attenuates the lowest frequencies, which all voices have in common. */
function difference(samples: Float32Array, output: Float32Array): void {
  let before = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const sample = samples[n] as number;
    output[n] = sample - 0.9 * before;
    before = sample;
  }
}

function sumAt(heard: Float32Array, played: Float32Array, lag: number): number {
  let sum = 0;
  for (let n = 0; n < heard.length; n += 1) sum += (heard[n] as number) * (played[lag + n] as number);
  return sum;
}

/**
 * The position in `played` that matches `heard` best. Echo may be inverted, so the absolute value of the correlation counts.
 * @param sums precomputed products for each position, if available
 */
function bestLag(heard: Float32Array, played: Float32Array, from: number, until: number, sums?: Float64Array) {
  let own = 0;
  for (let n = 0; n < heard.length; n += 1) own += (heard[n] as number) ** 2;
  let energy = 0;
  for (let n = 0; n < heard.length; n += 1) energy += (played[from + n] as number) ** 2;
  let best = { lag: from, correlation: 0 };
  for (let lag = from; lag <= until; lag += 1) {
    const dot = sums?.[lag] ?? sumAt(heard, played, lag);
    const correlation = Math.abs(dot) / Math.sqrt(own * Math.max(energy, 1e-9) + 1e-12);
    if (correlation > best.correlation) best = { lag, correlation };
    energy += (played[lag + heard.length] ?? 0) ** 2 - (played[lag] as number) ** 2;
  }
  return best;
}

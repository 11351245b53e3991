import type { SampleRate } from '../lines/line';

const rows = [697, 770, 852, 941] as const;
const columns = [1_209, 1_336, 1_477, 1_633] as const;
const keys = ['123A', '456B', '789C', '*0#D'] as const;
/** The keys of a telephone. No telephone has A to D, so these are false detections in speech. */
const pressable = /^[0-9*#]$/;

/** The two frequencies of a key; undefined if it is not one. */
export function frequenciesOf(key: string): readonly [number, number] | undefined {
  const row = keys.findIndex((one) => one.includes(key));
  const low = rows[row];
  const high = columns[keys[row]?.indexOf(key) ?? -1];
  return low === undefined || high === undefined ? undefined : [low, high];
}

const blockMs = 12.75;
/** Number of consecutive blocks of a digit: it lasts at least 40 ms, and 23 ms or less is rejected (ITU-T Q.24). */
const blocksOfDigit = 2;
const blocksOfPause = 2;
/** The minimum share of a block's energy in the two frequencies; mu-law alone reduces it to 0.99. */
const leastShare = 0.82;
/** Maximum difference between the two frequencies (twist): 8 dB, as a ratio of energies. */
const mostTwist = 6.3;
/** Minimum power per frequency: slightly below -36 dB of full scale. */
const leastLevel = 0.000_12;

/** Detects DTMF digits in one audio stream. */
export class DigitDetector {
  private readonly block: Float32Array;
  private readonly coefficients: readonly number[];
  private filled = 0;
  private candidate: string | undefined;
  private hits = 0;
  private pauses = blocksOfPause;
  private pressed: string | undefined;

  constructor(sampleRate: SampleRate) {
    this.block = new Float32Array(Math.round((blockMs * sampleRate) / 1000));
    this.coefficients = [...rows, ...columns].map((hertz) => 2 * Math.cos((2 * Math.PI * hertz) / sampleRate));
  }

  /** @returns the digits that these samples complete */
  take(samples: Int16Array): string {
    let digits = '';
    for (let n = 0; n < samples.length; n += 1) {
      this.block[this.filled++] = (samples[n] as number) / 32_768;
      if (this.filled < this.block.length) continue;
      this.filled = 0;
      digits += this.judge(this.digitOfBlock());
    }
    return digits;
  }

  private judge(digit: string | undefined): string {
    this.hits = digit !== undefined && digit === this.candidate ? this.hits + 1 : 1;
    this.candidate = digit;
    if (digit === undefined) {
      this.pauses += 1;
      if (this.pauses >= blocksOfPause) this.pressed = undefined;
      return '';
    }
    this.pauses = 0;
    if (this.hits < blocksOfDigit || digit === this.pressed) return '';
    this.pressed = digit;
    return digit;
  }

  private digitOfBlock(): string | undefined {
    let energy = 0;
    for (const sample of this.block) energy += sample * sample;
    const mean = energy / this.block.length;
    if (mean < 2 * leastLevel) return undefined;
    const powers = this.coefficients.map((coefficient) => powerOf(this.block, coefficient));
    const row = loudestOf(powers.slice(0, 4));
    const column = loudestOf(powers.slice(4));
    const [low, high] = [powers[row] as number, powers[4 + column] as number];
    if (Math.min(low, high) < leastLevel || low > mostTwist * high || high > mostTwist * low) return undefined;
    if (low + high < leastShare * mean) return undefined;
    const digit = keys[row]?.[column];
    return digit !== undefined && pressable.test(digit) ? digit : undefined;
  }
}

/** The mean power of one frequency in a block, by Goertzel's algorithm. */
function powerOf(block: Float32Array, coefficient: number): number {
  let [last, before] = [0, 0];
  for (const sample of block) [last, before] = [sample + coefficient * last - before, last];
  const power = last * last + before * before - coefficient * last * before;
  return (2 * power) / (block.length * block.length);
}

const loudestOf = (powers: readonly number[]): number => powers.indexOf(Math.max(...powers));

/** Maximum time between the two reports of one key: the line's message waits for the end of the tone, and the audio for its analysis. */
const sameDigitMs = 1_000;

/**
 * Merges digits from two sources that report the same keys: the line's messages and the audio. Each key counts once, by the source that reports it first. A key
 * that is pressed again counts again, because each source reports it again.
 */
export class DigitMerger {
  private reported: { readonly digit: string; readonly source: 'line' | 'audio'; readonly at: number }[] = [];

  /** @returns the digits that were not reported before */
  take(digits: string, source: 'line' | 'audio', now: number): string {
    this.reported = this.reported.filter(({ at }) => now - at <= sameDigitMs);
    let fresh = '';
    for (const digit of digits) {
      const known = this.reported.findIndex((one) => one.digit === digit && one.source !== source);
      if (known >= 0) this.reported.splice(known, 1);
      else {
        this.reported.push({ digit, source, at: now });
        fresh += digit;
      }
    }
    return fresh;
  }
}

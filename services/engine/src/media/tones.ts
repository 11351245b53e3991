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
  /** The powers of the eight frequencies in the current block. */
  private readonly powers = new Float64Array(rows.length + columns.length);
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
    const { block } = this;
    for (let from = 0; from < samples.length;) {
      const { filled } = this;
      const count = Math.min(samples.length - from, block.length - filled);
      for (let n = 0; n < count; n += 1) block[filled + n] = (samples[from + n] as number) / 32_768;
      from += count;
      this.filled += count;
      if (this.filled < block.length) continue;
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
    for (let n = 0; n < this.block.length; n += 1) energy += (this.block[n] as number) ** 2;
    const mean = energy / this.block.length;
    if (mean < 2 * leastLevel) return undefined;
    const { block, coefficients, powers } = this;
    for (let n = 0; n < powers.length; n += 1) powers[n] = powerOf(block, coefficients[n] as number);
    const row = loudestOf(powers, 0);
    const column = loudestOf(powers, 4);
    const low = powers[row] as number;
    const high = powers[4 + column] as number;
    if (Math.min(low, high) < leastLevel || low > mostTwist * high || high > mostTwist * low) return undefined;
    if (low + high < leastShare * mean) return undefined;
    const digit = keys[row]?.[column];
    return digit !== undefined && pressable.test(digit) ? digit : undefined;
  }
}

/** The mean power of one frequency in a block, by Goertzel's algorithm. */
function powerOf(block: Float32Array, coefficient: number): number {
  // No destructuring: it allocates an array per sample, which was half of everything that an engine allocated.
  let last = 0;
  let before = 0;
  for (let n = 0; n < block.length; n += 1) {
    const next = (block[n] as number) + coefficient * last - before;
    before = last;
    last = next;
  }
  const power = last * last + before * before - coefficient * last * before;
  return (2 * power) / (block.length * block.length);
}

/** The number, 0 to 3, of the loudest of the four frequencies from `first` on. */
function loudestOf(powers: Float64Array, first: number): number {
  let loudest = 0;
  for (let n = 1; n < 4; n += 1) if ((powers[first + n] as number) > (powers[first + loudest] as number)) loudest = n;
  return loudest;
}

/** Maximum time between the reports of one key: the line's message waits for the end of the tone, and the audio for its analysis. */
const sameDigitMs = 1_000;
/** People do not press a key twice so fast, but telephones that send a key by INFO and as a telephone-event report it twice within that time. */
const mostRepeatMs = 200;

interface ReportedDigit {
  readonly digit: string;
  readonly at: number;
  /** The time since the line's report before it. */
  readonly gapMs: number;
  /** How often each source has reported it. */
  readonly by: { line: number; audio: number };
}

/**
 * Merges digits of sources that report the same keys: the audio, and the line's messages, which may be doubled. Each key counts once, when it is first
 * reported. A key that is pressed again counts again, because each source reports it again.
 */
export class DigitMerger {
  private reported: ReportedDigit[] = [];
  private lastOfLine = -Infinity;
  /** Whether this line was seen to report keys twice. */
  private doubled = false;

  /** @returns the digits that were not reported before */
  take(digits: string, source: 'line' | 'audio', now: number): string {
    this.reported = this.reported.filter(({ at }) => now - at <= sameDigitMs);
    let fresh = '';
    for (const digit of digits) {
      const known = this.reported.find(
        (one) => one.digit === digit && (one.by[source] === 0 || this.repeats(one, source, now)),
      );
      if (known === undefined) {
        const by = { line: 0, audio: 0 };
        by[source] = 1;
        this.reported.push({ digit, at: now, gapMs: now - this.lastOfLine, by });
        fresh += digit;
      } else known.by[source] += 1;
      if (source === 'line') this.lastOfLine = now;
    }
    return fresh;
  }

  /** In a fast sequence of a machine all gaps are alike; before a doubled report there is a longer one. Digits of one message are different keys. */
  private repeats({ by, at, gapMs }: ReportedDigit, source: 'line' | 'audio', now: number): boolean {
    if (source === 'audio' || by.line !== 1 || now === at) return false;
    this.doubled ||= now - at <= mostRepeatMs && gapMs >= 2 * (now - at);
    return this.doubled;
  }
}

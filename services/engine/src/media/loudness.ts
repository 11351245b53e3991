import type { SampleRate } from '../lines/line';

const blockMs = 20;
/** Blocks below this level are pauses and are not used for the estimate: -45 dB of full scale. */
const pauseLevel = 10 ** (-45 / 20);
/** Maximum gain: 15 dB. */
const mostGain = 10 ** (15 / 20);
/** The smoothing factor of the level estimate per block: at first, and later. */
const [quick, slow] = [0.25, 0.02];
/** The number of blocks with the larger smoothing factor, so that a sentence reaches its level within half a second. */
const quickBlocks = 12;
const ceiling = 0.9 * 32_767;

export interface LevellerOptions {
  /** The target level of speech in dB of full scale. Telephone networks are designed for -20. */
  readonly target?: number;
  /** An earlier level estimate, as returned by `Leveller.level`. */
  readonly level?: number;
}

/** Adjusts a voice to the common level, chunk by chunk as it is synthesized. Peaks are soft-limited, never clipped. */
export class Leveller {
  private readonly target: number;
  private readonly blockSamples: number;
  private estimate: number | undefined;
  private gain = 1;
  private blocks = 0;

  constructor(sampleRate: SampleRate, { target = -20, level }: LevellerOptions = {}) {
    this.target = 10 ** (target / 20);
    this.blockSamples = (blockMs * sampleRate) / 1000;
    this.estimate = level;
    if (level !== undefined) [this.blocks, this.gain] = [quickBlocks, this.gainFor(level)];
  }

  /** The estimated level of the voice, as a share of full scale; undefined before any input. */
  get level(): number | undefined {
    return this.estimate;
  }

  /** Returns as many samples as it is given. */
  apply(samples: Int16Array): Int16Array {
    const output = new Int16Array(samples.length);
    for (let start = 0; start < samples.length; start += this.blockSamples) {
      const block = samples.subarray(start, start + this.blockSamples);
      const before = this.gain;
      this.measure(block);
      // The gain is interpolated between blocks: a step would be audible.
      for (let n = 0; n < block.length; n += 1) {
        const gain = before + ((this.gain - before) * (n + 1)) / block.length;
        output[start + n] = bent((block[n] as number) * gain);
      }
    }
    return output;
  }

  private measure(block: Int16Array): void {
    let energy = 0;
    for (const sample of block) energy += (sample / 32_768) ** 2;
    const level = Math.sqrt(energy / block.length);
    if (level < pauseLevel) return;
    this.blocks += 1;
    const weight = this.blocks <= quickBlocks ? quick : slow;
    const power = (this.estimate ?? level) ** 2 * (1 - weight) + level ** 2 * weight;
    this.estimate = Math.sqrt(power);
    this.gain = this.gainFor(this.estimate);
  }

  private gainFor(level: number): number {
    return Math.min(mostGain, Math.max(1 / mostGain, this.target / level));
  }
}

/** Soft limit: values above half of the ceiling approach it asymptotically. */
function bent(sample: number): number {
  const half = ceiling / 2;
  const size = Math.abs(sample);
  const bend = size <= half ? size : half + half * Math.tanh((size - half) / half);
  return Math.round(Math.sign(sample) * bend);
}

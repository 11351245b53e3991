import type { SampleRate } from '../lines/line';

const blockMs = 20;
/** Blocks below this are pauses and say nothing about how loud a voice is: -45 dB of full scale. */
const pauseLevel = 10 ** (-45 / 20);
/** A voice is made louder or quieter by at most this. */
const mostGain = 10 ** (15 / 20);
/** How far the estimate of a voice's level moves with each block. */
const [quick, slow] = [0.25, 0.02];
/** So many blocks are weighed quickly, so that a sentence is at its level within half a second. */
const quickBlocks = 12;
const ceiling = 0.9 * 32_767;

export interface LevellerOptions {
  /** Of speech, in decibels of full scale: -20 is what telephone networks are built for. */
  readonly target?: number;
  /** How loud the voice was found to be before, as `Leveller.level` returned it. */
  readonly level?: number;
}

/** Brings one voice to a level that is the same for all voices, piece by piece as it is synthesised. Peaks are bent, never cut. */
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

  /** How loud the voice is, of full scale; undefined until it was heard. */
  get level(): number | undefined {
    return this.estimate;
  }

  /** As many samples as are given. */
  apply(samples: Int16Array): Int16Array {
    const output = new Int16Array(samples.length);
    for (let start = 0; start < samples.length; start += this.blockSamples) {
      const block = samples.subarray(start, start + this.blockSamples);
      const before = this.gain;
      this.measure(block);
      // From block to block the gain moves evenly: a step would be heard.
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

/** What is above half of the ceiling comes nearer to it and never beyond. */
function bent(sample: number): number {
  const half = ceiling / 2;
  const size = Math.abs(sample);
  const bend = size <= half ? size : half + half * Math.tanh((size - half) / half);
  return Math.round(Math.sign(sample) * bend);
}

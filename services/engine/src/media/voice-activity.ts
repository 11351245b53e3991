import type { SampleRate } from '../lines/line';
import { windowMs, VoiceMemory, type VoiceModel, type VoiceWindow } from './voice-model';

/** Maximum number of buffered windows of one voice; with more, the oldest ones are dropped. */
const mostWaiting = 64;

/** One window of a voice, with its speech probability. The samples are overwritten after the call. */
export type OnWindow = (probability: number, samples: Float32Array) => void;

/** The audio of one voice, divided into the model's windows. */
export class VoiceInput {
  /** The number of windows that were dropped because the buffer was full. */
  dropped = 0;
  readonly memory: VoiceMemory;
  private readonly windows: Float32Array[] = [];
  /** Windows that were analyzed, to be filled again. */
  private readonly free: Float32Array[] = [];
  private filling: Float32Array;
  private filled = 0;

  constructor(
    sampleRate: SampleRate,
    readonly onWindow: OnWindow,
  ) {
    this.memory = new VoiceMemory(sampleRate);
    this.filling = this.emptyWindow();
  }

  get waiting(): number {
    return this.windows.length;
  }

  append(samples: Int16Array): void {
    for (let from = 0; from < samples.length;) {
      const { filling, filled } = this;
      const count = Math.min(samples.length - from, filling.length - filled);
      for (let n = 0; n < count; n += 1) filling[filled + n] = (samples[from + n] as number) / 32_768;
      this.filled += count;
      from += count;
      if (this.filled < filling.length) continue;
      this.windows.push(filling);
      this.filling = this.emptyWindow();
      this.filled = 0;
      if (this.windows.length <= mostWaiting) continue;
      // A dropped window still counts as time, without voice.
      const dropped = this.windows.shift() as Float32Array;
      this.dropped += 1;
      this.report(0, dropped);
    }
  }

  next(): Float32Array | undefined {
    return this.windows.shift();
  }

  /** Reports the probability of a window that `next` returned. */
  report(probability: number, window: Float32Array): void {
    this.onWindow(probability, window);
    this.free.push(window);
  }

  private emptyWindow(): Float32Array {
    return this.free.pop() ?? new Float32Array((windowMs * this.memory.sampleRate) / 1000);
  }
}

/** Analyzes the input of all voices of this process at each step of the pacer, with one inference per sample rate. */
export class VoiceActivity {
  private busy = false;

  constructor(private readonly model: Pick<VoiceModel, 'judge'>) {}

  /**
   * Analyzes the first pending window of each voice, then the second of those with more: a step is 20 ms and a window 32 ms, so this is enough to catch up.
   * Does nothing while the previous step is running.
   */
  async judge(inputs: Iterable<VoiceInput>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const pending = [...inputs].filter(({ waiting }) => waiting > 0);
      // Selected before the first inference: windows that are completed meanwhile wait for the next step, because an inference for few windows costs nearly as
      // much as one for many.
      const behind = pending.filter(({ waiting }) => waiting > 1);
      for (const voices of [pending, behind])
        for (const rate of [8_000, 16_000] as const)
          await this.infer(voices.filter(({ memory }) => memory.sampleRate === rate));
    } finally {
      this.busy = false;
    }
  }

  private async infer(inputs: readonly VoiceInput[]): Promise<void> {
    if (inputs.length === 0) return;
    const windows = inputs.map((input): VoiceWindow => ({ memory: input.memory, samples: takenOf(input) }));
    const probabilities = await this.model.judge(windows);
    inputs.forEach((input, place) =>
      input.report(probabilities[place] as number, windows[place]?.samples as Float32Array),
    );
  }
}

const takenOf = (input: VoiceInput): Float32Array => input.next() as Float32Array;

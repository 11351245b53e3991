import type { SampleRate } from '../lines/line';
import { windowMs, VoiceMemory, type VoiceModel, type VoiceWindow } from './voice-model';

/** Maximum number of buffered windows of one voice; with more, the oldest ones are dropped. */
const mostWaiting = 64;
/** Maximum number of windows of one voice per step of 20 ms. A window is 32 ms, so this is enough to catch up. */
const mostRounds = 2;

/** One window of a voice, with its speech probability. */
export type OnWindow = (probability: number, samples: Float32Array) => void;

/** The audio of one voice, divided into the model's windows. */
export class VoiceInput {
  /** The number of windows that were dropped because the buffer was full. */
  dropped = 0;
  readonly memory: VoiceMemory;
  private readonly windows: Float32Array[] = [];
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
    for (let n = 0; n < samples.length; n += 1) {
      this.filling[this.filled++] = (samples[n] as number) / 32_768;
      if (this.filled < this.filling.length) continue;
      this.windows.push(this.filling);
      this.filling = this.emptyWindow();
      this.filled = 0;
      if (this.windows.length <= mostWaiting) continue;
      // A dropped window still counts as time, without voice.
      this.windows.shift();
      this.dropped += 1;
      this.onWindow(0, this.filling);
    }
  }

  next(): Float32Array | undefined {
    return this.windows.shift();
  }

  private emptyWindow(): Float32Array {
    return new Float32Array((windowMs * this.memory.sampleRate) / 1000);
  }
}

/** Analyzes the input of all voices of this process at each step of the pacer, with one inference per sample rate. */
export class VoiceActivity {
  private busy = false;

  constructor(private readonly model: Pick<VoiceModel, 'judge'>) {}

  /** Analyzes the first pending window of each voice, then the second of those with more. Does nothing while the previous step is running. */
  async judge(inputs: Iterable<VoiceInput>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const all = [...inputs];
      for (let round = 0; round < mostRounds; round += 1)
        for (const rate of [8_000, 16_000] as const)
          await this.infer(all.filter(({ memory, waiting }) => memory.sampleRate === rate && waiting > 0));
    } finally {
      this.busy = false;
    }
  }

  private async infer(inputs: readonly VoiceInput[]): Promise<void> {
    if (inputs.length === 0) return;
    const windows = inputs.map((input): VoiceWindow => ({ memory: input.memory, samples: takenOf(input) }));
    const probabilities = await this.model.judge(windows);
    inputs.forEach((input, place) =>
      input.onWindow(probabilities[place] as number, windows[place]?.samples as Float32Array),
    );
  }
}

const takenOf = (input: VoiceInput): Float32Array => input.next() as Float32Array;

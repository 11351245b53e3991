import type { SampleRate } from '../lines/line';
import { windowMs, VoiceMemory, type VoiceModel, type VoiceWindow } from './voice-model';

/** Maximum number of buffered windows of one voice; with more, the oldest ones are dropped. */
const mostWaiting = 64;

/** The largest sample of digital silence: one step of mu-law, -72 dB of full scale. Muted microphones and carriers that send no noise deliver it. */
const silentLevel = 8 / 32_768;
/** After this number of windows of digital silence (256 ms), further ones are not analyzed. The end of speech was reported by then. */
const analyzedSilence = 8;

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
  /** The number of consecutive windows of digital silence that `next` returned. */
  private silent = 0;

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

  /** The next window to analyze. Windows of a longer digital silence are reported as without voice instead. */
  next(): Float32Array | undefined {
    for (let window = this.windows.shift(); window !== undefined; window = this.windows.shift()) {
      this.silent = isSilent(window) ? this.silent + 1 : 0;
      if (this.silent <= analyzedSilence) return window;
      this.memory.context.fill(0);
      this.report(0, window);
    }
    return undefined;
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
    const windows: (VoiceWindow & { readonly input: VoiceInput })[] = [];
    for (const input of inputs) {
      const samples = input.next();
      if (samples !== undefined) windows.push({ input, memory: input.memory, samples });
    }
    if (windows.length === 0) return;
    const probabilities = await this.model.judge(windows);
    windows.forEach(({ input, samples }, place) => input.report(probabilities[place] as number, samples));
  }
}

function isSilent(window: Float32Array): boolean {
  for (let n = 0; n < window.length; n += 1) if (Math.abs(window[n] as number) > silentLevel) return false;
  return true;
}

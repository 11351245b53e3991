import { Resampler } from '@parley/speech';
import type { SampleRate } from '../lines/line';
import { muLawSilence, toMuLaw } from './mu-law';

/** The sample rate of every recording, whatever the line's rate. */
const recordedRate = 8_000;
/** The maximum loss of a recording if the process dies, in seconds. */
const partSeconds = 5;
export const partBytes = partSeconds * recordedRate * 2;
/** The size of a chunk for clients that listen in: 200 ms. */
export const liveBytes = (recordedRate * 2) / 5;
/** How long one side waits for the other before that is padded with silence: longer than any pause after which a line still catches up. */
const longestWaitMs = 3_000;

/** Part numbers `n` start at 1. The callback becomes the owner of the bytes. */
export type OnPart = (n: number, bytes: Buffer) => void;

/** Samples of one side, as mu-law, that wait for the other side: a ring that grows. */
class Side {
  length = 0;
  /** The length is a power of two. */
  private ring = new Uint8Array(1_024);
  private first = 0;

  push(samples: Int16Array, audible: boolean): void {
    if (this.length + samples.length > this.ring.length) this.grow(this.length + samples.length);
    const { ring } = this;
    const mask = ring.length - 1;
    const end = this.first + this.length;
    for (let n = 0; n < samples.length; n += 1)
      ring[(end + n) & mask] = audible ? toMuLaw(samples[n] as number) : muLawSilence;
    this.length += samples.length;
  }

  /** Writes `count` samples into every second byte of `target`, padded with silence. */
  shift(count: number, target: Uint8Array, at: number): void {
    const { ring, first } = this;
    const mask = ring.length - 1;
    const available = Math.min(count, this.length);
    for (let n = 0; n < available; n += 1) target[at + 2 * n] = ring[(first + n) & mask] as number;
    for (let n = available; n < count; n += 1) target[at + 2 * n] = muLawSilence;
    this.first = (first + available) & mask;
    this.length -= available;
  }

  private grow(needed: number): void {
    const { ring, first } = this;
    const larger = new Uint8Array(2 ** Math.ceil(Math.log2(needed)));
    for (let n = 0; n < this.length; n += 1) larger[n] = ring[(first + n) & (ring.length - 1)] as number;
    this.ring = larger;
    this.first = 0;
  }
}

/**
 * Records both sides of a call as stereo mu-law at 8,000 samples a second: the caller as received on the left, the agent as played on the right. Both sides
 * report their audio without gaps and from the same start, so that samples at the same position were heard at the same time. The recording is delivered in
 * parts.
 */
export class Recorder {
  private readonly caller = new Side();
  private readonly agent = new Side();
  private readonly longestWait: number;
  private part: Buffer<ArrayBuffer>;
  private filled = 0;
  private parts = 0;
  private audible = true;
  private ended = false;
  private pairs = 0;
  /** Undefined if the line has the rate of the recording. */
  private readonly callerSound: Resampler | undefined;
  private readonly agentSound: Resampler | undefined;

  constructor(
    sampleRate: SampleRate,
    private readonly onPart: OnPart,
    private readonly bytesOfPart = partBytes,
  ) {
    this.part = Buffer.alloc(bytesOfPart);
    this.longestWait = (longestWaitMs * recordedRate) / 1000;
    if (sampleRate === recordedRate) return;
    this.callerSound = new Resampler(sampleRate, recordedRate);
    this.agentSound = new Resampler(sampleRate, recordedRate);
  }

  /** The duration in milliseconds of the finished parts and of the current one. */
  get durationMs(): number {
    return (this.pairs * 1000) / recordedRate;
  }

  heard(samples: Int16Array): void {
    this.take(this.caller, this.callerSound?.resample(samples) ?? samples);
  }

  played(samples: Int16Array): void {
    this.take(this.agent, this.agentSound?.resample(samples) ?? samples);
  }

  /** Adds time that was not recorded, as silence on both sides. */
  skip(ms: number): void {
    let left = Math.round((Math.max(0, ms) * recordedRate) / 1000);
    // In chunks, so that neither side gets so far ahead that the other is padded.
    while (left > 0) {
      const samples = new Int16Array(Math.min(left, recordedRate));
      this.take(this.caller, samples);
      this.take(this.agent, samples);
      left -= samples.length;
    }
  }

  /** Pauses the recording. Its time continues with silence, so that the times of the transcript match the recording. */
  pause(): void {
    this.audible = false;
  }

  resume(): void {
    this.audible = true;
  }

  /** Delivers the rest. @returns the number of parts */
  end(): number {
    if (this.ended) return this.parts;
    this.ended = true;
    this.write(Math.max(this.caller.length, this.agent.length));
    this.handOver();
    return this.parts;
  }

  private take(side: Side, samples: Int16Array): void {
    if (this.ended) return;
    side.push(samples, this.audible);
    const both = Math.min(this.caller.length, this.agent.length);
    const either = Math.max(this.caller.length, this.agent.length);
    this.write(Math.max(both, either - this.longestWait));
  }

  private write(count: number): void {
    for (let left = count; left > 0;) {
      const pairs = Math.min(left, (this.bytesOfPart - this.filled) / 2);
      this.caller.shift(pairs, this.part, this.filled);
      this.agent.shift(pairs, this.part, this.filled + 1);
      this.filled += 2 * pairs;
      this.pairs += pairs;
      left -= pairs;
      if (this.filled === this.bytesOfPart) this.handOver();
    }
  }

  private handOver(): void {
    if (this.filled === 0) return;
    const bytes = this.part.subarray(0, this.filled);
    this.part = Buffer.alloc(this.bytesOfPart);
    this.filled = 0;
    this.parts += 1;
    this.onPart(this.parts, bytes);
  }
}

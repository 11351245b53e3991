import { Resampler } from '@parley/speech';

/** Sound as bytes in any pieces, 16-bit little-endian, to samples at another rate. A sample may be divided between two pieces. */
export class PcmReader {
  private rest: Buffer = Buffer.alloc(0);
  private readonly resampler: Resampler;

  constructor(from: number, to: number) {
    this.resampler = new Resampler(from, to);
  }

  read(bytes: Uint8Array): Int16Array {
    const all = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes]);
    const samples = new Int16Array(all.length >> 1);
    for (let n = 0; n < samples.length; n += 1) samples[n] = all.readInt16LE(2 * n);
    this.rest = all.subarray(2 * samples.length);
    return this.resampler.resample(samples);
  }
}

/** Undefined unless it is base64 of whole samples, 16-bit little-endian. */
export function samplesOf(base64: unknown): Int16Array | undefined {
  if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % 2 !== 0) return undefined;
  const samples = new Int16Array(bytes.length / 2);
  for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readInt16LE(2 * n);
  return samples;
}

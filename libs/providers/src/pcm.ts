import { Resampler } from '@parley/speech';

/** Converts audio, received as bytes of 16-bit little-endian samples, to samples at another rate. The bytes may be split anywhere, even within a sample. */
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

/** Decodes base64 of 16-bit little-endian samples; undefined if it is invalid or does not contain whole samples. */
export function samplesOf(base64: unknown): Int16Array | undefined {
  if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % 2 !== 0) return undefined;
  const samples = new Int16Array(bytes.length / 2);
  for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readInt16LE(2 * n);
  return samples;
}

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
    const samples = decoded(all);
    this.rest = all.subarray(2 * samples.length);
    return this.convert(samples);
  }

  /** Decodes base64 of the same bytes; undefined if it is invalid. */
  readBase64(base64: unknown): Int16Array | undefined {
    if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
    return this.read(Buffer.from(base64, 'base64'));
  }

  convert(samples: Int16Array): Int16Array {
    return this.resampler.resample(samples);
  }
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The whole 16-bit little-endian samples in these bytes. */
function decoded(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  // Copied as memory where possible: voices deliver whole sentences at once, and reading them sample by sample delays every call of the engine.
  if (isLittleEndian) new Uint8Array(samples.buffer).set(bytes.subarray(0, 2 * samples.length));
  else for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readInt16LE(2 * n);
  return samples;
}

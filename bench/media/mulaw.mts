/** G.711 mu-law, the encoding of telephone media streams, with a lookup table for each direction. */

const bias = 0x84;
const loudest = 32_635;

/** The 16-bit sample of each byte. */
export const linearOf = Int16Array.from({ length: 256 }, (_, byte) => expand(byte));
/** The sample of each byte between -1 and 1, the range that neural networks use. */
export const floatOf = Float32Array.from(linearOf, (sample) => sample / 32_768);
/** The absolute value of each byte's sample. */
export const loudnessOf = Uint16Array.from(linearOf, Math.abs);
/** The encoding has a precision of 14 bits, so the table needs entries for only a quarter of all 16-bit samples. */
const compressed = Uint8Array.from({ length: 16_384 }, (_, index) => compress((index << 2) - 32_768));

export const silence = compress(0);

/** The byte of a 16-bit sample. The sum of tracks is clipped if it exceeds the range. */
export function muLawOf(sample: number): number {
  const clipped = sample > 32_767 ? 32_767 : sample < -32_768 ? -32_768 : sample;
  return compressed[(clipped + 32_768) >> 2] as number;
}

export function encodeMuLaw(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length);
  for (let n = 0; n < samples.length; n += 1) bytes[n] = muLawOf(samples[n] as number);
  return bytes;
}

export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let n = 0; n < bytes.length; n += 1) samples[n] = linearOf[bytes[n] as number] as number;
  return samples;
}

function expand(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = ((((inverted & 0x0f) << 3) + bias) << ((inverted >> 4) & 0x07)) - bias;
  return inverted & 0x80 ? -magnitude : magnitude;
}

function compress(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), loudest) + bias;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

import { decodeMuLaw, encodeMuLaw } from '@parley/speech';
import { newSamples } from './samples';

/** The codec of `@parley/speech` as lookup tables, because it runs every 20 ms for each call. */
const sampleOf: Int16Array = decodeMuLaw(Uint8Array.from({ length: 256 }, (_, byte) => byte));
/** Indexed by the sample's 16 bits without the sign. */
const byteOf: Uint8Array = encodeMuLaw(Int16Array.from({ length: 65_536 }, (_, bits) => bits));

export const muLawSilence = byteOf[0] as number;

export const toMuLaw = (sample: number): number => byteOf[sample & 0xffff] as number;

export function muLawBytes(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length);
  for (let n = 0; n < samples.length; n += 1) bytes[n] = byteOf[(samples[n] as number) & 0xffff] as number;
  return bytes;
}

export function muLawSamples(bytes: Uint8Array): Int16Array {
  const samples = newSamples(bytes.length);
  for (let n = 0; n < bytes.length; n += 1) samples[n] = sampleOf[bytes[n] as number] as number;
  return samples;
}

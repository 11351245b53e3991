import { mulaw } from 'alawmulaw';

/** Bytes of 8-bit G.711 mu-law, the encoding of telephone media streams, from samples of 16 bits. */
export const encodeMuLaw = (samples: Int16Array): Buffer => bufferOf(mulaw.encode(samples));

/** Samples of 16 bits from bytes of mu-law. */
export const decodeMuLaw = (bytes: Uint8Array): Int16Array => mulaw.decode(bytes);

/** The byte of silence. */
export const muLawSilence = 0xff;

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

import { mulaw } from 'alawmulaw';

/** Encodes 16-bit samples as 8-bit G.711 mu-law, the encoding of telephone media streams. */
export const encodeMuLaw = (samples: Int16Array): Buffer => bufferOf(mulaw.encode(samples));

/** Decodes mu-law to 16-bit samples. */
export const decodeMuLaw = (bytes: Uint8Array): Int16Array => mulaw.decode(bytes);

/** The mu-law byte for silence. */
export const muLawSilence = 0xff;

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

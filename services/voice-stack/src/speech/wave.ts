/** Samples a second of what providers are asked for. */
export const pcmSampleRate = 24_000;

const headerBytes = 44;

/** RIFF WAVE around 16-bit PCM of one channel at `pcmSampleRate`, little-endian. */
export function waveOf(pcm: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(pcmSampleRate, 24);
  header.writeUInt32LE(2 * pcmSampleRate, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}

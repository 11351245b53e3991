export const muLawWaveHeaderBytes = 58;

/** The header of a RIFF WAVE file whose data is G.711 mu-law: `bytes` bytes with interleaved channels, which must follow it. */
export function muLawWaveHeader(
  bytes: number,
  { channels, sampleRate }: { readonly channels: number; readonly sampleRate: number },
): Buffer {
  const header = Buffer.alloc(muLawWaveHeaderBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(muLawWaveHeaderBytes - 8 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  // WAVE_FORMAT_MULAW. For all formats except PCM, the format chunk contains the length of its extension, and a fact chunk contains the number of samples.
  header.writeUInt16LE(7, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(channels * sampleRate, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.writeUInt16LE(0, 36);
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(bytes / channels, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(bytes, 54);
  return header;
}

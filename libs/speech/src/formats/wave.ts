/** One channel of linear PCM. */
export interface Pcm {
  /** Samples per second. */
  readonly sampleRate: number;
  /** 16-bit samples. */
  readonly samples: Int16Array;
}

const headerBytes = 44;

/** A RIFF WAVE file with little-endian 16-bit PCM of one channel. */
export function waveOf(pcm: Buffer, sampleRate: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(2 * sampleRate, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}

/**
 * Reads a RIFF WAVE file with 16-bit PCM of one channel. Chunks other than `fmt ` and `data` are skipped.
 * @throws Error that states what is wrong with any other file
 */
export function readWave(bytes: Buffer): Pcm {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE')
    throw new Error('not a RIFF WAVE file');
  let sampleRate: number | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const [name, size] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    const content = bytes.subarray(at + 8, at + 8 + size);
    if (content.length < size) throw new Error(`the chunk '${name}' is cut short`);
    if (name === 'fmt ') sampleRate = sampleRateOf(content);
    if (name === 'data') {
      if (sampleRate === undefined) throw new Error("no chunk 'fmt ' before 'data'");
      return { sampleRate, samples: samplesOf(content) };
    }
    at += 8 + size + (size % 2);
  }
  throw new Error("no chunk 'data'");
}

function sampleRateOf(format: Buffer): number {
  if (format.length < 16) throw new Error("the chunk 'fmt ' is cut short");
  const [encoding, channels, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(14)];
  if (encoding !== 1 || channels !== 1 || bits !== 16)
    throw new Error(`encoding ${encoding} with ${channels} channels of ${bits} bits is not supported`);
  return format.readUInt32LE(4);
}

/** Converts little-endian bytes to samples. They are copied, because the bytes may start at an odd offset of their buffer. */
export function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  for (let n = 0; n < samples.length; n += 1) samples[n] = bytes.readInt16LE(2 * n);
  return samples;
}

/** Converts samples to little-endian bytes. */
export function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(2 * samples.length);
  for (let n = 0; n < samples.length; n += 1) bytes.writeInt16LE(samples[n] as number, 2 * n);
  return bytes;
}

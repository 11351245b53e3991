/** Audio as 16-bit samples, at 16 kHz or at the 8 kHz of telephones: synthesized by flite, or read from and written to WAV files. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Sound {
  rate: number;
  samples: Int16Array;
}

/** Synthesizes a sentence at 16 kHz. */
export async function speak(flite: string, voice: string, text: string, file: string): Promise<Sound> {
  await promisify(execFile)(flite, ['-voice', voice, '-t', text, '-o', file], { timeout: 20_000 });
  return readWav(file);
}

export function silence(rate: number, ms: number): Sound {
  return { rate, samples: new Int16Array(Math.round((rate * ms) / 1000)) };
}

export function joined(...sounds: readonly Sound[]): Sound {
  const samples = new Int16Array(sounds.reduce((total, sound) => total + sound.samples.length, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, at);
    at += sound.samples.length;
  }
  return { rate: sounds[0]?.rate ?? 0, samples };
}

/** Halves the sample rate after a low-pass filter (a windowed sinc) that removes everything above 4 kHz. */
export function atHalfRate({ rate, samples }: Sound): Sound {
  const reach = 63;
  const cutoff = 0.225;
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const n = index - reach;
    const window = 0.42 + 0.5 * Math.cos((Math.PI * n) / reach) + 0.08 * Math.cos((2 * Math.PI * n) / reach);
    return (n === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * n) / (Math.PI * n)) * window;
  });
  const half = new Int16Array(samples.length >> 1);
  for (let n = 0; n < half.length; n += 1) {
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 1) sum += (taps[tap] ?? 0) * (samples[2 * n + tap - reach] ?? 0);
    half[n] = Math.round(sum);
  }
  return { rate: rate / 2, samples: half };
}

/** Reads a mono file with 16 bits. If the file was not closed properly, its header contains no length, and it is read to its end. */
export function readWav(file: string): Sound {
  const bytes = readFileSync(file);
  const rate = bytes.readUInt32LE(24);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.readUInt16LE(22) !== 1 || bytes.readUInt16LE(34) !== 16) {
    throw new Error(`${file} is no WAV file of one channel and 16 bits`);
  }
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'data') {
      const end = length === 0 ? bytes.length : Math.min(bytes.length, at + 8 + length);
      return { rate, samples: samplesOf(bytes.subarray(at + 8, end)) };
    }
    at += 8 + length + (length % 2);
  }
  throw new Error(`${file} holds no sound`);
}

export function writeWav(file: string, { rate, samples }: Sound): void {
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + samples.length * 2, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length * 2, 40);
  writeFileSync(file, Buffer.concat([header, bytesOf(samples)]));
}

/** Little-endian samples, as in WAV files and in Asterisk's format slin16. */
export function samplesOf(bytes: Uint8Array): Int16Array {
  const aligned = Uint8Array.from(bytes);
  return new Int16Array(aligned.buffer, 0, aligned.length >> 1);
}

export function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

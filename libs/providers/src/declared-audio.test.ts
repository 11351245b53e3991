import { encodeMuLaw, waveOf } from '@parley/speech';
import { DeclaredAudio } from './declared-audio';

const seconds = 1;
const sine = (rate: number, channels = 1): Int16Array =>
  Int16Array.from({ length: rate * seconds * channels }, (_, n) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 500 * Math.floor(n / channels)) / rate)),
  );
const little = (samples: Int16Array): Buffer => Buffer.from(samples.buffer);

/** A WAVE file with any format, a comment before its audio, and perhaps no known size. */
function wave(audio: Buffer, { tag = 1, channels = 1, rate = 16_000, bits = 16, size = audio.length } = {}): Buffer {
  const header = Buffer.alloc(58);
  header.write('RIFF\xff\xff\xff\xffWAVELIST', 0, 'latin1');
  header.writeUInt32LE(6, 16);
  header.write('fmt ', 26, 'latin1');
  header.writeUInt32LE(16, 30);
  header.writeUInt16LE(tag, 34);
  header.writeUInt16LE(channels, 36);
  header.writeUInt32LE(rate, 38);
  header.writeUInt16LE((channels * bits) / 8, 46);
  header.writeUInt16LE(bits, 48);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(size, 54);
  return Buffer.concat([header, audio]);
}

function heard(type: string, bytes: Buffer, piece = 4_801): Int16Array {
  const audio = new DeclaredAudio('voice', type, 24_000, 16_000);
  const pieces: number[] = [];
  for (let at = 0; at < bytes.length; at += piece) pieces.push(...audio.read(bytes.subarray(at, at + piece)));
  return Int16Array.from(pieces);
}

/** The frequency of a tone, by its zero crossings. */
const frequency = (samples: Int16Array): number => {
  const crossings = samples.reduce(
    (count, sample, n) => count + (n > 0 && sample >= 0 !== (samples[n - 1] as number) >= 0 ? 1 : 0),
    0,
  );
  return (crossings * 8_000) / samples.length;
};
const float = (samples: Int16Array): Buffer => Buffer.from(Float32Array.from(samples, (one) => one / 32_768).buffer);
const bytes24 = (samples: Int16Array): Buffer =>
  Buffer.concat([...samples].map((one) => Buffer.from([0, one & 255, (one >> 8) & 255])));

it.each<[string, string, Buffer]>([
  ['samples of the usual rate', 'audio/pcm', little(sine(24_000))],
  ['samples without a type', '', little(sine(24_000))],
  ['samples of an octet stream', 'application/octet-stream', little(sine(24_000))],
  ['samples with a rate', 'audio/pcm;rate=16000', little(sine(16_000))],
  ['samples with a rate and spaces', 'audio/L16; rate=22050; channels=1', little(sine(22_050))],
  ['samples with a rate of no small ratio', 'audio/pcm;rate=11027', little(sine(11_027))],
  ['samples of two channels', 'audio/pcm;rate=16000;channels=2', little(sine(16_000, 2))],
  ['big-endian samples', 'audio/pcm;rate=16000;endianness=big-endian', little(sine(16_000)).swap16()],
  ['mu-law', 'audio/basic', encodeMuLaw(sine(8_000))],
  ['a WAVE file', 'audio/wav', waveOf(little(sine(16_000)), 16_000)],
  ['a WAVE file of another type', 'application/octet-stream', waveOf(little(sine(8_000)), 8_000)],
  ['a WAVE file with a comment', 'audio/x-wav', wave(little(sine(16_000)))],
  ['a WAVE file of unknown size', 'audio/wav', wave(little(sine(16_000)), { size: 0xffff_ffff })],
  ['a WAVE file of 48 kHz and two channels', 'audio/wav', wave(little(sine(48_000, 2)), { rate: 48_000, channels: 2 })],
  ['a WAVE file of floats', 'audio/wav', wave(float(sine(16_000)), { tag: 3, bits: 32 })],
  ['a WAVE file of 24 bits', 'audio/wav', wave(bytes24(sine(16_000)), { bits: 24 })],
  ['a WAVE file of mu-law', 'audio/wav', wave(encodeMuLaw(sine(8_000)), { tag: 7, bits: 8, rate: 8_000 })],
])('%s are heard with their own pitch and duration, for any division', (_, type, bytes) => {
  for (const piece of [1_000_000, 4_801, 37]) {
    const samples = heard(type, bytes, piece);
    expect(Math.abs(samples.length - 16_000)).toBeLessThan(100);
    expect(Math.abs(frequency(samples) - 500)).toBeLessThan(10);
  }
});

it.each([
  ['audio/mpeg', Buffer.from('ID3\x04 and more')],
  ['audio/ogg', Buffer.from('OggS and more')],
  ['application/json', Buffer.from('{"audio": null}')],
  ['text/html', Buffer.from('<html>')],
  ['', Buffer.from('OggS and more')],
  ['application/octet-stream', Buffer.from([0xff, 0xfb, 0x90, 0, 0])],
  ['audio/wav', Buffer.from('no wave file at all')],
  ['audio/wav', wave(Buffer.alloc(100), { tag: 85 })],
  ['audio/wav', wave(Buffer.alloc(100), { rate: 1 })],
  ['audio/wav', wave(Buffer.alloc(100), { channels: 0 })],
  ['audio/pcm;rate=nothing', Buffer.alloc(100)],
  ['audio/wav', Buffer.concat([Buffer.from('RIFFxxxxWAVE'), Buffer.alloc(70_000)])],
])('%j with %p is an invalid answer', (type, bytes) => {
  let code: unknown;
  try {
    heard(type, bytes);
  } catch (error) {
    code = (error as { code?: unknown }).code;
  }
  expect(code).toBe('invalid_answer');
});

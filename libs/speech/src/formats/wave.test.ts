import { bytesOf, readWave, samplesOf, waveOf } from './wave';

const samples = Int16Array.of(0, 1, -1, 32_767, -32_768);
const wave = waveOf(bytesOf(samples), 16_000);

it('reads a WAVE file that it wrote', () => expect(readWave(wave)).toEqual({ sampleRate: 16_000, samples }));

it('reads samples at an odd offset of their buffer', () => {
  const shifted = Buffer.concat([Buffer.from([7]), bytesOf(samples)]).subarray(1);
  expect(samplesOf(shifted)).toEqual(samples);
});

it('skips unknown chunks with their padding', () => {
  const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1');
  expect(readWave(Buffer.concat([wave.subarray(0, 36), list, wave.subarray(36)])).samples).toEqual(samples);
});

const changed = (at: number, byte: number): Buffer => {
  const copy = Buffer.from(wave);
  copy[at] = byte;
  return copy;
};

it.each<[string, Buffer]>([
  ['an empty file', Buffer.alloc(0)],
  ['another container', changed(0, 0x58)],
  ['an encoding other than PCM', changed(20, 7)],
  ['two channels', changed(22, 2)],
  ['8 bits', changed(34, 8)],
  ['a file that is cut short', wave.subarray(0, -1)],
  ['no data chunk', wave.subarray(0, 36)],
  ['a data chunk before the fmt chunk', Buffer.concat([wave.subarray(0, 12), wave.subarray(36)])],
])('throws for %s', (_name, bytes) => expect(() => readWave(bytes)).toThrow(Error));

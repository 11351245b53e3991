import { muLawWaveHeader, muLawWaveHeaderBytes } from './mu-law-wave';

it('writes the header of a mu-law RIFF WAVE file with the chunks fmt, fact and data', () => {
  const header = muLawWaveHeader(1_600, { channels: 2, sampleRate: 8_000 });
  expect(header).toHaveLength(muLawWaveHeaderBytes);
  expect([header.toString('latin1', 0, 4), header.readUInt32LE(4)]).toEqual(['RIFF', 58 + 1_600 - 8]);
  expect(header.toString('latin1', 8, 12)).toBe('WAVE');
  const chunks: [string, Buffer][] = [];
  for (let at = 12; at < header.length; at += 8 + header.readUInt32LE(at + 4)) {
    chunks.push([header.toString('latin1', at, at + 4), header.subarray(at + 8, at + 8 + header.readUInt32LE(at + 4))]);
  }
  expect(chunks.map(([name]) => name)).toEqual(['fmt ', 'fact', 'data']);
  const [[, format], [, fact], [, data]] = chunks as [[string, Buffer], [string, Buffer], [string, Buffer]];
  expect([format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt32LE(4)]).toEqual([7, 2, 8_000]);
  expect([format.readUInt32LE(8), format.readUInt16LE(12), format.readUInt16LE(14)]).toEqual([16_000, 2, 8]);
  expect(fact.readUInt32LE(0)).toBe(800);
  // The function returns only the header; the data would follow it.
  expect(data).toHaveLength(0);
  expect(header.readUInt32LE(54)).toBe(1_600);
});

import { decodeMuLaw, encodeMuLaw, muLawSilence } from './mu-law';

it('encodes and decodes every sample within the quantization step of G.711', () => {
  for (let sample = -32_768; sample <= 32_767; sample += 17) {
    const [decoded] = decodeMuLaw(encodeMuLaw(Int16Array.of(sample)));
    // The largest quantization step is 1,024; louder samples are clipped to the loudest code.
    const step = Math.max(4, (Math.abs(sample) + 132) / 16);
    expect(Math.abs((decoded as number) - Math.max(-32_124, Math.min(32_124, sample)))).toBeLessThanOrEqual(step);
  }
});

it.each([
  [0, muLawSilence],
  [32_767, 0x80],
  [-32_768, 0x00],
])('encodes the sample %d as the byte %d', (sample, byte) =>
  expect([...encodeMuLaw(Int16Array.of(sample))]).toEqual([byte]),
);

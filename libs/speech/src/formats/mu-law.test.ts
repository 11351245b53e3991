import { decodeMuLaw, encodeMuLaw, muLawSilence } from './mu-law';

it('keeps a sample within the step of its segment, as G.711 defines it', () => {
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
])('encodes %d as the byte %d of the standard', (sample, byte) =>
  expect([...encodeMuLaw(Int16Array.of(sample))]).toEqual([byte]),
);

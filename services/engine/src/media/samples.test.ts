import { newSamples } from './samples';

describe('an array of new samples', () => {
  it.each([0, 1, 160, 2_047, 2_048, 2_049, 100_000])(
    'of length %i is silent and shares no sample with another',
    (length) => {
      const arrays = Array.from({ length: 200 }, () => newSamples(length));
      arrays.forEach((samples, n) => {
        expect(samples).toHaveLength(length);
        expect(samples.every((sample) => sample === 0)).toBe(true);
        samples.fill(n + 1);
      });
      arrays.forEach((samples, n) => expect(samples.every((sample) => sample === n + 1)).toBe(true));
    },
  );

  it.each([
    [2_048, 32_768],
    [2_049, 2 * 2_049],
  ])('of length %i has a buffer of %i bytes, so that a long one keeps no other audio in memory', (length, bytes) => {
    expect(newSamples(length).buffer.byteLength).toBe(bytes);
  });
});

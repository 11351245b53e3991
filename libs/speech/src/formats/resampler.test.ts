import { Resampler, resampleWhole } from './resampler';

const tone = (hertz: number, rate: number, seconds = 1): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, n) =>
    Math.round(16_000 * Math.sin((2 * Math.PI * hertz * n) / rate)),
  );

/** The level of a sine tone in decibels relative to an amplitude of 16,000, without the first and last 20 ms. */
const level = (samples: Int16Array, rate: number): number => {
  const inner = samples.subarray(rate / 50, samples.length - rate / 50);
  const power = inner.reduce((sum, sample) => sum + sample * sample, 0) / inner.length;
  return 10 * Math.log10((2 * power) / 16_000 ** 2 + 1e-12);
};

describe('Resampler', () => {
  it.each([
    [8_000, 16_000, 3_400],
    [16_000, 8_000, 3_400],
    [24_000, 8_000, 3_400],
    [24_000, 16_000, 6_800],
    [48_000, 16_000, 6_800],
    [22_050, 8_000, 3_400],
    [16_000, 24_000, 6_800],
  ])('from %d to %d Hz keeps tones up to %d Hz within 1 dB', (from, to, highest) => {
    for (const hertz of [100, 1_000, highest])
      expect(Math.abs(level(new Resampler(from, to).resample(tone(hertz, from)), to))).toBeLessThan(1);
  });

  it.each([
    [16_000, 8_000, 4_700],
    [24_000, 8_000, 4_700],
    [24_000, 8_000, 11_000],
    [48_000, 16_000, 9_400],
  ])('from %d to %d Hz removes a tone of %d Hz, which would cause aliasing', (from, to, hertz) => {
    expect(level(new Resampler(from, to).resample(tone(hertz, from)), to)).toBeLessThan(-50);
  });

  it('adds no mirror image of a tone when upsampling', () => {
    const up = new Resampler(8_000, 16_000).resample(tone(1_000, 8_000));
    // Without the filter, a tone of 7 kHz would be as loud as one of 1 kHz.
    const image = up.map((sample, n) => (n % 2 === 0 ? sample : -sample));
    const low = new Resampler(16_000, 8_000).resample(
      new Resampler(8_000, 16_000).resample(new Resampler(16_000, 8_000).resample(image)),
    );
    expect(level(low, 8_000)).toBeLessThan(-50);
  });

  it('returns the same samples for any division into pieces', () => {
    const samples = tone(440, 24_000);
    const whole = new Resampler(24_000, 16_000).resample(samples);
    const resampler = new Resampler(24_000, 16_000);
    const pieces: number[] = [];
    for (let at = 0, length = 1; at < samples.length; at += length, length = (length * 7 + 3) % 997)
      pieces.push(...resampler.resample(samples.subarray(at, at + length)));
    expect(pieces).toEqual([...whole]);
  });

  it('keeps the exact duration over a minute of frames of different lengths', () => {
    const resampler = new Resampler(24_000, 8_000);
    let length = 0;
    for (let n = 0; n < 3_000; n += 1) length += resampler.resample(new Int16Array(n % 2 === 0 ? 479 : 481)).length;
    expect(length).toBe(8_000 * 60);
  });

  it('clips samples instead of overflowing', () => {
    const square = Int16Array.from({ length: 800 }, (_, n) => (n % 80 < 40 ? 32_767 : -32_768));
    const output = new Resampler(8_000, 16_000).resample(square);
    for (let n = 30; n < output.length; n += 1)
      expect(Math.abs((output[n] as number) - (output[n - 1] as number))).toBeLessThan(45_000);
  });

  it('refuses a ratio of sample rates that needs too many filter phases', () => {
    expect(() => new Resampler(8_000, 44_101)).toThrow(RangeError);
  });
});

describe('resampleWhole', () => {
  it.each([
    [8_000, 16_000],
    [24_000, 8_000],
    [16_000, 24_000],
  ])('from %d to %d Hz keeps the length of the audio and the position of a tone', (from, to) => {
    const samples = new Int16Array(from);
    samples.set(tone(500, from, 0.1), from / 2);
    const output = resampleWhole(samples, from, to);
    expect(output.length).toBe(to);
    const onset = output.findIndex((sample) => Math.abs(sample) > 4_000);
    expect(Math.abs(onset / to - 0.5)).toBeLessThan(0.001);
  });
});

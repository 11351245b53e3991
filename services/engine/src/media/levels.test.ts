import { decibels, noise, pieces, scaled, sentences, silence, speech, tone, concat } from '../../test/waveforms';
import type { SampleRate } from '../lines/line';
import { comfortNoise } from './comfort-noise';
import { Leveller } from './loudness';

const rates: readonly SampleRate[] = [8_000, 16_000];
const spoken = new Map<SampleRate, Int16Array>();

beforeAll(async () => {
  for (const rate of rates) spoken.set(rate, await speech(rate, sentences));
});

/** The level of the pieces that are not pauses. */
function decibelsOfSpeech(samples: Int16Array, rate: SampleRate): number {
  const loud = [...pieces(samples, rate / 50)].filter((piece) => decibels(piece) > -45);
  return decibels(concat(...loud));
}

const levelled = (samples: Int16Array, leveller: Leveller, rate: SampleRate): Int16Array =>
  concat(...[...pieces(samples, rate / 50)].map((piece) => leveller.apply(piece)));

describe.each(rates)('automatic level control at %i Hz', (rate) => {
  const voice = (): Int16Array => spoken.get(rate) as Int16Array;

  it.each([0.15, 0.5, 1, 2])('brings speech at %d times its level to the target level', (factor) => {
    const output = levelled(scaled(voice(), factor), new Leveller(rate), rate);
    expect(Math.abs(decibelsOfSpeech(output.subarray(rate), rate) - -20)).toBeLessThan(3);
  });

  it('applies a known level of the voice from the first sample on', () => {
    const first = new Leveller(rate);
    const quiet = scaled(voice(), 0.2);
    levelled(quiet, first, rate);
    const again = levelled(quiet, new Leveller(rate, { level: first.level }), rate);
    expect(Math.abs(decibelsOfSpeech(again, rate) - -20)).toBeLessThan(2.5);
  });

  it('changes the level by at most 15 dB', () => {
    const whisper = tone(rate, 2_000, [300], 0.01);
    const change = decibels(levelled(whisper, new Leveller(rate), rate).subarray(rate)) - decibels(whisper);
    expect(change).toBeGreaterThan(14);
    expect(change).toBeLessThan(15.1);
  });

  it('does not adapt to pauses', () => {
    const leveller = new Leveller(rate);
    levelled(concat(silence(rate, 1_000), noise(rate, 1_000, 0.005)), leveller, rate);
    expect(leveller.level).toBeUndefined();
  });

  it('limits peaks softly instead of clipping them', () => {
    const leveller = new Leveller(rate, { level: 0.05 });
    const output = leveller.apply(tone(rate, 20, [500], 0.9));
    expect(Math.max(...output)).toBeLessThan(0.9 * 32_767 + 1);
    // A clipped sine keeps its maximum for longer than a peak does.
    expect(output.filter((sample) => sample === Math.max(...output)).length).toBeLessThan(output.length / 4);
  });

  it('returns as many samples as it receives, for pieces of any length', () => {
    const leveller = new Leveller(rate);
    for (const length of [1, 7, 160, 333, 5_000]) expect(leveller.apply(new Int16Array(length))).toHaveLength(length);
  });
});

describe.each(rates)('comfort noise at %i Hz', (rate) => {
  it.each([-62, -50])('has the requested level of %i dB', (level) => {
    expect(Math.abs(decibels(comfortNoise(rate, level)) - level)).toBeLessThan(1);
  });

  it('loops without an audible step', () => {
    const loop = comfortNoise(rate, -40);
    const steps = loop.map((sample, n) => Math.abs(sample - (loop.at(n - 1) as number)));
    const seam = steps[0] as number;
    expect(seam).toBeLessThan(Math.max(...steps.subarray(1)));
  });

  it('is the same each time', () => {
    expect(comfortNoise(rate)).toEqual(comfortNoise(rate));
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atHalfRate, joined, silence, type Sound } from './sound.mts';
import { above4kHz, find, pieces } from './waveform.mts';

const rate = 16_000;
/** Noise that is the same in every run. */
const noise: Sound = {
  rate,
  samples: Int16Array.from({ length: 2 * rate }, (_, n) => ((n * n * 7_919) % 16_001) - 8_000),
};
const tone = (hertz: number): Sound => ({
  rate,
  samples: Int16Array.from({ length: rate }, (_, n) => 8_000 * Math.sin((2 * Math.PI * hertz * n) / rate)),
});
const part = (from: number, to: number): Sound => ({ rate, samples: noise.samples.subarray(from, to) });

await test('a sound is found at its position, with its level', () => {
  const quieter: Sound = { rate, samples: noise.samples.map((sample) => sample / 2) };
  const { offset, correlation, levelDb } = find(noise, joined(silence(rate, 300), quieter, silence(rate, 300)));
  assert.equal(offset, 4_800);
  assert.ok(correlation > 0.999, String(correlation));
  assert.ok(Math.abs(levelDb + 6.02) < 0.1, String(levelDb));
});

await test('another sound, and none, are not found', () => {
  assert.ok(find(tone(440), joined(silence(rate, 300), noise)).correlation < 0.2);
  assert.equal(find(noise, silence(rate, 5_000)).correlation, 0);
  assert.equal(find(noise, silence(rate, 100)).correlation, 0);
});

await test('20 ms that are missing in the middle are a shift of the rest, and replaced ones a bad piece', () => {
  const shortened = joined(part(0, 16_000), part(16_320, noise.samples.length), silence(rate, 200));
  assert.equal(Math.abs(pieces(noise, shortened, 0).shiftMs), 20);
  const holed = joined(part(0, 16_000), silence(rate, 200), part(19_200, noise.samples.length));
  assert.ok(pieces(noise, holed, 0).correlation < 0.85);
  assert.ok(pieces(noise, noise, 0).correlation > 0.999);
});

await test('audio above 4 kHz is detected, and a telephone line has none', () => {
  assert.ok(above4kHz(tone(6_000)) > -0.1);
  assert.ok(above4kHz(tone(1_000)) < -40);
  assert.equal(above4kHz(atHalfRate(noise)), -Infinity);
  const loudest = atHalfRate(tone(6_000))
    .samples.slice(200, -200)
    .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  assert.ok(loudest < 10, String(loudest));
});

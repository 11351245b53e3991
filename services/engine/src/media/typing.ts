import type { SampleRate } from '../lines/line';

/** Longer than the maximum duration of a tool sound. */
const seconds = 12;
const keyMs = 18;

/** A sound of typing: short bursts of noise at uneven intervals, identical in each call. Synthesized, so that no recording has to be licensed. */
export function typing(sampleRate: SampleRate): Int16Array {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const perMs = sampleRate / 1000;
  const samples = new Int16Array(seconds * sampleRate);
  for (let atMs = 0; atMs < seconds * 1000 - keyMs;) {
    const loudness = 900 + 900 * random();
    let level = 0;
    for (let n = 0; n < keyMs * perMs; n += 1) {
      level = 0.6 * level + 0.4 * (2 * random() - 1);
      samples[Math.floor(atMs * perMs) + n] = Math.round(loudness * level * Math.exp((-5 * n) / (keyMs * perMs)));
    }
    atMs += 90 + 160 * random() + (random() < 0.12 ? 450 * random() : 0);
  }
  return samples;
}

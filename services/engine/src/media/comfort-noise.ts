import type { SampleRate } from '../lines/line';

const seconds = 4;

/**
 * Background noise of a quiet room, played in a loop, because a completely silent line seems to be broken. The noise is stronger at low frequencies, starts the
 * same way in each call, and has no audible seam.
 */
export function comfortNoise(sampleRate: SampleRate, decibels = -62): Int16Array {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647 - 0.5) * 2;
  };
  const white = Float64Array.from({ length: seconds * sampleRate }, random);
  // The filter runs twice over the loop, so that its initial state equals its final state.
  const keep = Math.exp((-2 * Math.PI * 1_000) / sampleRate);
  const noise = new Float64Array(white.length);
  let level = 0;
  for (let n = 0; n < 2 * white.length; n += 1) {
    const at = n % white.length;
    level = keep * level + (1 - keep) * (white[at] as number);
    noise[at] = level;
  }
  const power = noise.reduce((sum, sample) => sum + sample * sample, 0) / noise.length;
  const gain = (32_768 * 10 ** (decibels / 20)) / Math.sqrt(power);
  return Int16Array.from(noise, (sample) => Math.round(sample * gain));
}

import type { EffectiveTuning } from '@parley/contract';
import type { SampleRate } from '../lines/line';

export type Environment = EffectiveTuning['audio_environment'];
type Preset = Exclude<Environment['preset'], 'none'>;

/** Root mean square at volume 1, in dB of full scale: far below speech, which has about -20. The volume scales the amplitude. */
export const loudestDecibels = -30;
const seconds = 8;

/** Band-pass noise. `swells` is how many times per loop its level is modulated (none: steady). */
interface Layer {
  readonly from: number;
  readonly to: number;
  readonly strength: number;
  readonly swells: readonly number[];
}

/**
 * Approximations of background sounds made of noise, so that no recording has to be licensed. The periods of the modulation divide the loop, so it has no seam.
 * The voices of the call center are modulated about four times a second, which is the rate of syllables.
 */
const layersOf: Readonly<Record<Preset, readonly Layer[]>> = {
  office: [
    { from: 60, to: 400, strength: 1, swells: [] },
    { from: 400, to: 1_500, strength: 0.3, swells: [3, 17] },
  ],
  street: [
    { from: 40, to: 250, strength: 1, swells: [1, 2] },
    { from: 250, to: 1_200, strength: 0.5, swells: [1, 3] },
  ],
  call_center: [
    { from: 200, to: 900, strength: 0.7, swells: [5, 31] },
    { from: 300, to: 1_400, strength: 0.7, swells: [7, 37] },
    { from: 500, to: 2_200, strength: 0.4, swells: [3, 29] },
  ],
};

const made = new Map<string, Float64Array>();

/** The background sound of a call, played in a loop; undefined for none. It is the same in each call. */
export function environmentBed({ preset, volume }: Environment, sampleRate: SampleRate): Int16Array | undefined {
  if (preset === 'none' || volume === 0) return undefined;
  const key = `${preset} ${sampleRate}`;
  const sound = made.get(key) ?? synthesized(layersOf[preset], sampleRate);
  made.set(key, sound);
  const level = 32_768 * 10 ** (loudestDecibels / 20) * volume;
  return Int16Array.from(sound, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * level))));
}

/** The sum of the layers, normalized to a root mean square of 1. */
function synthesized(layers: readonly Layer[], sampleRate: SampleRate): Float64Array {
  const sum = new Float64Array(seconds * sampleRate);
  layers.forEach(({ from, to, strength, swells }, which) => {
    const white = noise(sum.length, 101 + which);
    const high = lowPassed(white, to / sampleRate);
    const low = lowPassed(high, from / sampleRate);
    const band = unit(high.map((sample, n) => sample - (low[n] as number)));
    for (let n = 0; n < sum.length; n += 1) {
      let gain = strength;
      for (const swell of swells) gain *= 0.6 + 0.4 * Math.sin((2 * Math.PI * swell * n) / sum.length + which);
      sum[n] = (sum[n] as number) + gain * (band[n] as number);
    }
  });
  return unit(sum);
}

function noise(length: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647 - 0.5) * 2;
  });
}

/** Low-pass filter. Runs twice over the loop, so that its initial state equals its final one and the loop has no click. */
function lowPassed(samples: Float64Array, frequency: number): Float64Array {
  const keep = Math.exp(-2 * Math.PI * frequency);
  const passed = new Float64Array(samples.length);
  let level = 0;
  for (let n = 0; n < 2 * samples.length; n += 1) {
    const at = n % samples.length;
    level = keep * level + (1 - keep) * (samples[at] as number);
    passed[at] = level;
  }
  return passed;
}

function unit(samples: Float64Array): Float64Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return samples.map((sample) => sample / Math.sqrt(power));
}

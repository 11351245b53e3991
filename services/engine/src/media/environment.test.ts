import { decibels } from '../../test/waveforms';
import type { SampleRate } from '../lines/line';
import { environmentBed, loudestDecibels } from './environment';

const presets = ['office', 'street', 'call_center'] as const;
const rates: readonly SampleRate[] = [8_000, 16_000];

describe.each(presets.flatMap((preset) => rates.map((rate) => [preset, rate] as const)))(
  'background audio %s at %i Hz',
  (preset, rate) => {
    it.each([1, 0.5, 0.1])('has the expected level at volume %d', (volume) => {
      const bed = environmentBed({ preset, volume }, rate) as Int16Array;
      expect(Math.abs(decibels(bed) - (loudestDecibels + 20 * Math.log10(volume)))).toBeLessThan(0.5);
    });

    it('loops without an audible step', () => {
      const bed = environmentBed({ preset, volume: 1 }, rate) as Int16Array;
      const step = (n: number): number => Math.abs((bed[(n + 1) % bed.length] as number) - (bed[n] as number));
      let largest = 0;
      for (let n = 0; n < bed.length - 1; n += 1) largest = Math.max(largest, step(n));
      expect(step(bed.length - 1)).toBeLessThanOrEqual(largest);
    });
  },
);

it.each([
  ['none', 0],
  ['none', 1],
  ['office', 0],
] as const)('there is no background audio for %s at volume %d', (preset, volume) => {
  expect(environmentBed({ preset, volume }, 8_000)).toBeUndefined();
});

it('presets have different background audio', () => {
  const [office, street, center] = presets.map((preset) => environmentBed({ preset, volume: 1 }, 8_000));
  expect(office).not.toEqual(street);
  expect(street).not.toEqual(center);
});

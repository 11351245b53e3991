import type { SampleRate } from '../lines/line';
import { frequenciesOf } from './tones';

/** Long enough for any exchange (ITU-T Q.24 requires 40 ms each for tone and pause). */
const toneMs = 100;
const pauseMs = 80;
/** Amplitude of each of the two frequencies: -9 dB of full scale. */
const level = 0.35 * 32_767;
const rampMs = 2;

/** DTMF tones for 0-9, * and #; other characters are a pause. */
export function keyTones(digits: string, sampleRate: SampleRate): Int16Array {
  const perMs = sampleRate / 1000;
  const each = (toneMs + pauseMs) * perMs;
  const samples = new Int16Array(digits.length * each);
  [...digits].forEach((digit, place) => {
    const frequencies = frequenciesOf(digit);
    if (frequencies === undefined) return;
    for (let n = 0; n < toneMs * perMs; n += 1) {
      const ramp = Math.min(1, n / (rampMs * perMs), (toneMs * perMs - n) / (rampMs * perMs));
      const tone = (hertz: number): number => Math.sin((2 * Math.PI * hertz * n) / sampleRate);
      samples[place * each + n] = Math.round(level * ramp * (tone(frequencies[0]) + tone(frequencies[1])));
    }
  });
  return samples;
}

/** Codes as key tones of a telephone: generates and recognizes them at any sample rate. */
const rows = [697, 770, 852, 941];
const columns = [1_209, 1_336, 1_477];
const keys = '123456789*0#';

const frequenciesOf = (key: string): [number, number] => {
  const at = keys.indexOf(key);
  return [rows[Math.floor(at / 3)] ?? 0, columns[at % 3] ?? 0];
};

const toneMs = 120;
const pauseMs = 100;

export function codeSamples(code: string, rate: number): Int16Array {
  const each = ((toneMs + pauseMs) * rate) / 1_000;
  const samples = new Int16Array(code.length * each);
  [...code].forEach((key, place) => {
    const [low, high] = frequenciesOf(key);
    for (let n = 0; n < (toneMs * rate) / 1_000; n += 1) {
      const tone = (hertz: number): number => Math.sin((2 * Math.PI * hertz * n) / rate);
      samples[place * each + n] = Math.round(7_000 * (tone(low) + tone(high)));
    }
  });
  return samples;
}

export function power(samples: Int16Array, from: number, length: number, hertz: number, rate: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let [one, two] = [0, 0];
  for (let n = from; n < from + length; n += 1) [one, two] = [(samples[n] ?? 0) + turn * one - two, one];
  return (one * one + two * two - turn * one * two) / (length * length);
}

/** The key whose two frequencies contain nearly all of the power in this window; undefined if there is none. */
function keyAt(samples: Int16Array, from: number, length: number, rate: number): string | undefined {
  const strongest = (frequencies: readonly number[]): [number, number] =>
    frequencies
      .map((hertz): [number, number] => [hertz, power(samples, from, length, hertz, rate)])
      .reduce((best, one) => (one[1] > best[1] ? one : best));
  const [low, lowPower] = strongest(rows);
  const [high, highPower] = strongest(columns);
  let total = 0;
  for (let n = from; n < from + length; n += 1) total += (samples[n] ?? 0) ** 2;
  total /= length;
  // This is a quarter of the square of a tone's amplitude, while its total power is half of it.
  if (total < 500_000 || 2 * (lowPower + highPower) < 0.7 * total) return undefined;
  return keys[rows.indexOf(low) * 3 + columns.indexOf(high)];
}

/** Returns all keys that are heard, in order. */
export function codeIn(samples: Int16Array, rate: number): string {
  const window = rate / 50;
  let [code, last, lasts] = ['', undefined as string | undefined, 0];
  for (let at = 0; at + window <= samples.length; at += window) {
    const key = keyAt(samples, at, window, rate);
    lasts = key === last ? lasts + 1 : 1;
    last = key;
    if (key !== undefined && lasts === 3) code += key;
  }
  return code;
}

/** Milliseconds until the first sound; undefined if there is none. */
export function firstSoundMs(samples: Int16Array, rate: number): number | undefined {
  const at = samples.findIndex((sample) => Math.abs(sample) > 1_000);
  return at < 0 ? undefined : (at * 1_000) / rate;
}

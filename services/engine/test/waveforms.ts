import { FliteVoice, readWave, resampleWhole } from '@parley/speech';
import type { SampleRate } from '../src/lines/line';
import { muLawBytes, muLawSamples } from '../src/media/mu-law';

/** A sum of tones, each at this fraction of full scale. */
export function tone(rate: SampleRate, ms: number, hertz: readonly number[], level = 0.2): Int16Array {
  return Int16Array.from({ length: (ms * rate) / 1000 }, (_, n) =>
    Math.round(32_767 * level * hertz.reduce((sum, one) => sum + Math.sin((2 * Math.PI * one * n) / rate), 0)),
  );
}

export const silence = (rate: SampleRate, ms: number): Int16Array => new Int16Array((ms * rate) / 1000);

/** White noise, the same for the same seed. */
export function noise(rate: SampleRate, ms: number, level: number, seed = 1): Int16Array {
  let state = seed;
  return Int16Array.from({ length: (ms * rate) / 1000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.round((state / 2_147_483_647 - 0.5) * 2 * 32_767 * level);
  });
}

export function concat(...pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export function mixed(first: Int16Array, second: Int16Array, from = 0): Int16Array {
  const sum = first.slice();
  for (let n = 0; n < second.length && from + n < sum.length; n += 1)
    sum[from + n] = Math.max(-32_768, Math.min(32_767, (sum[from + n] as number) + (second[n] as number)));
  return sum;
}

export const scaled = (samples: Int16Array, factor: number): Int16Array =>
  samples.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * factor))));

/** The samples after encoding and decoding as mu-law, like on a telephone line. */
export const throughMuLaw = (samples: Int16Array): Int16Array => muLawSamples(muLawBytes(samples));

export function* pieces(samples: Int16Array, size: number): Generator<Int16Array> {
  for (let at = 0; at < samples.length; at += size) yield samples.subarray(at, at + size);
}

/** Root mean square, in decibels of full scale. */
export function decibels(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length;
  return 10 * Math.log10(power + 1e-12);
}

/** Synthetic hold music: a loop of four chords with a bass and a drum, because asterisk-moh is not installed on every machine. */
export function music(rate: SampleRate, ms: number): Int16Array {
  const chords = [
    [261.6, 329.6, 392],
    [220, 261.6, 329.6],
    [174.6, 220, 261.6],
    [196, 246.9, 293.7],
  ];
  const beat = rate / 2;
  const hiss = noise(rate, 1_000, 1, 7);
  return Int16Array.from({ length: (ms * rate) / 1000 }, (_, n) => {
    const chord = chords[Math.floor(n / (4 * beat)) % chords.length] as number[];
    const inBeat = (n % beat) / rate;
    const pluck = Math.exp(-4 * inBeat);
    const harmony = chord.reduce(
      (sum, hertz) =>
        sum + [1, 2, 3].reduce((tones, m) => tones + Math.sin((2 * Math.PI * m * hertz * n) / rate) / (m * m), 0),
      0,
    );
    const bass = Math.sin((Math.PI * (chord[0] as number) * n) / rate);
    const drum = Math.exp(-60 * inBeat) * ((hiss[n % hiss.length] as number) / 32_767);
    return Math.round(32_767 * (0.06 * harmony * (0.4 + pluck) + 0.08 * bass + 0.1 * drum));
  });
}

/** The best correlation of `wanted` with a piece of `heard`, and where that piece begins, in samples. */
export function find(wanted: Int16Array, heard: Int16Array, step = 1): { at: number; correlation: number } {
  let own = 0;
  for (const sample of wanted) own += sample * sample;
  let best = { at: -1, correlation: 0 };
  for (let at = 0; at + wanted.length <= heard.length; at += step) {
    let [dot, energy] = [0, 0];
    for (let n = 0; n < wanted.length; n += 1) {
      const sample = heard[at + n] as number;
      dot += (wanted[n] as number) * sample;
      energy += sample * sample;
    }
    const correlation = dot / Math.sqrt(own * energy + 1);
    if (correlation > best.correlation) best = { at, correlation };
  }
  return best;
}

export const sentences = [
  'Hello, I would like to know when you are open tomorrow morning.',
  'Can you tell me what an appointment costs and how long it takes?',
  'I need to move my booking to another day, is Thursday possible?',
  'We are open from nine in the morning until seven in the evening on every day of the week.',
] as const;

const voices = { rms: 'voice-3', slt: 'sim-anna' } as const;

/** Sentences by the offline voice, with half a second of silence around each. */
export async function speech(rate: SampleRate, texts: readonly string[], voice: keyof typeof voices = 'slt') {
  const flite = new FliteVoice({ threads: 1, waiting: 10, timeoutMs: 60_000 });
  try {
    const spoken: Int16Array[] = [silence(rate, 500)];
    for (const text of texts) {
      const wave = await flite.synthesize({ owner: 'test', text, voiceId: voices[voice], delivery: undefined });
      const { samples, sampleRate } = readWave(wave);
      spoken.push(resampleWhole(samples, sampleRate, rate), silence(rate, 500));
    }
    return concat(...spoken);
  } finally {
    await flite.stop();
  }
}

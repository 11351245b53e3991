/** Compares waveforms: the position of a known sound in a recording, their similarity, and the energy above 4 kHz. */
import type { Sound } from './sound.mts';

export interface Match {
  /** The position in the recording, in samples, at which the reference begins. */
  offset: number;
  /** 1 if the shapes are equal at any level, 0 if they have nothing in common. */
  correlation: number;
  /** The gain of the recording relative to the reference. */
  levelDb: number;
}

/** Finds the position in the recording with the maximum cross-correlation. */
export function find(reference: Sound, recording: Sound): Match {
  if (reference.rate !== recording.rate)
    throw new Error(`rates ${reference.rate} and ${recording.rate} are not comparable`);
  const wanted = reference.samples;
  const heard = recording.samples;
  if (heard.length < wanted.length) return { offset: 0, correlation: 0, levelDb: -Infinity };
  const products = crossCorrelation(wanted, heard);
  const energies = new Float64Array(heard.length + 1);
  for (let n = 0; n < heard.length; n += 1) energies[n + 1] = (energies[n] ?? 0) + (heard[n] ?? 0) ** 2;
  const own = wanted.reduce((total, sample) => total + sample ** 2, 0);
  let best: Match = { offset: 0, correlation: 0, levelDb: -Infinity };
  for (let offset = 0; offset + wanted.length <= heard.length; offset += 1) {
    const energy = (energies[offset + wanted.length] ?? 0) - (energies[offset] ?? 0);
    // Skips nearly silent positions, because they correlate with anything.
    if (energy < own / 100) continue;
    const correlation = (products[offset] ?? 0) / Math.sqrt(energy * own);
    if (correlation > best.correlation) best = { offset, correlation, levelDb: 10 * Math.log10(energy / own) };
  }
  return best;
}

/** The same for each segment: the minimum correlation, and the maximum shift relative to the whole, in milliseconds. */
export function pieces(reference: Sound, recording: Sound, offset: number, pieceMs = 500): Match & { shiftMs: number } {
  const { rate } = reference;
  const length = (rate * pieceMs) / 1000;
  const margin = rate / 20;
  let worst: Match & { shiftMs: number } = { offset, correlation: 1, levelDb: 0, shiftMs: 0 };
  for (let at = 0; at + length <= reference.samples.length; at += length) {
    const piece = { rate, samples: reference.samples.subarray(at, at + length) };
    if (loudness(piece) < 200) continue;
    const from = Math.max(0, offset + at - margin);
    const around = { rate, samples: recording.samples.subarray(from, offset + at + length + margin) };
    const match = find(piece, around);
    const shiftMs = ((from + match.offset - offset - at) / rate) * 1000;
    worst = {
      ...(match.correlation < worst.correlation ? match : worst),
      shiftMs: Math.abs(shiftMs) > Math.abs(worst.shiftMs) ? shiftMs : worst.shiftMs,
    };
  }
  return worst;
}

/** The root mean square of the samples. */
export function loudness({ samples }: Sound): number {
  return Math.sqrt(samples.reduce((total, sample) => total + sample ** 2, 0) / Math.max(1, samples.length));
}

/** The share of the energy above 4 kHz, in dB. */
export function above4kHz({ rate, samples }: Sound): number {
  const size = sizeFor(samples.length);
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
  real.set(samples);
  transform(real, imaginary);
  let [high, all] = [0, 0];
  for (let bin = 1; bin < size / 2; bin += 1) {
    const energy = (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2;
    all += energy;
    if ((bin * rate) / size > 4_000) high += energy;
  }
  return high === 0 ? -Infinity : 10 * Math.log10(high / all);
}

/** For each offset, the sum of the products of the two signals. */
function crossCorrelation(wanted: Int16Array, heard: Int16Array): Float64Array {
  const size = sizeFor(wanted.length + heard.length);
  const [a, aImaginary] = [new Float64Array(size), new Float64Array(size)];
  const [b, bImaginary] = [new Float64Array(size), new Float64Array(size)];
  a.set(heard);
  b.set(wanted);
  transform(a, aImaginary);
  transform(b, bImaginary);
  for (let bin = 0; bin < size; bin += 1) {
    const [x, y, u, v] = [a[bin] ?? 0, aImaginary[bin] ?? 0, b[bin] ?? 0, bImaginary[bin] ?? 0];
    a[bin] = x * u + y * v;
    // The complex conjugate, so that a second forward transform computes the inverse.
    aImaginary[bin] = -(y * u - x * v);
  }
  transform(a, aImaginary);
  return a.map((value) => value / size);
}

function sizeFor(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, length)));
}

/** Fast Fourier transform in place; the length must be a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let from = 1, to = 0; from < size; from += 1) {
    let bit = size >> 1;
    for (; to & bit; bit >>= 1) to ^= bit;
    to ^= bit;
    if (from < to) for (const part of [real, imaginary]) [part[from], part[to]] = [part[to] ?? 0, part[from] ?? 0];
  }
  for (let length = 2; length <= size; length <<= 1) {
    const half = length >> 1;
    const cosines = Float64Array.from({ length: half }, (_, n) => Math.cos((-2 * Math.PI * n) / length));
    const sines = Float64Array.from({ length: half }, (_, n) => Math.sin((-2 * Math.PI * n) / length));
    for (let start = 0; start < size; start += length) {
      for (let n = 0; n < half; n += 1) {
        const [top, bottom] = [start + n, start + n + half];
        const [x, y] = [real[bottom] ?? 0, imaginary[bottom] ?? 0];
        const [c, s] = [cosines[n] ?? 0, sines[n] ?? 0];
        const [u, v] = [x * c - y * s, x * s + y * c];
        real[bottom] = (real[top] ?? 0) - u;
        imaginary[bottom] = (imaginary[top] ?? 0) - v;
        real[top] = (real[top] ?? 0) + u;
        imaginary[top] = (imaginary[top] ?? 0) + v;
      }
    }
  }
}

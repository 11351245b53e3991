import { randomNumbers } from './texts.mts';

export const dimensions = 1_536;
/** Vectors of texts fill a small part of their space: theirs is spanned by so many directions. */
const directions = 48;

function gaussians(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}

const axes = (() => {
  const next = gaussians(randomNumbers(11));
  return Array.from({ length: directions }, () => Float32Array.from({ length: dimensions }, next));
})();

/** A vector of length 1. */
export function vectorOf(random: () => number): number[] {
  const next = gaussians(random);
  const vector = new Float32Array(dimensions);
  for (const axis of axes) {
    const place = next();
    for (let d = 0; d < dimensions; d += 1) vector[d] = (vector[d] ?? 0) + (axis[d] ?? 0) * place;
  }
  const length = Math.hypot(...vector);
  return Array.from(vector, (value) => value / length);
}

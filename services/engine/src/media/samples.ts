/** The number of samples that are allocated together: 2 s at 8 kHz. */
const slabLength = 16_384;

let slab = new Int16Array(slabLength);
let used = 0;

/**
 * A new array of `count` samples, all 0. Arrays of up to an eighth of a slab share its buffer, as small Node buffers do: 50 calls need 10,000 of them a second,
 * and as many buffers of their own cost more CPU time to allocate and collect than most of what is done with them.
 */
export function newSamples(count: number): Int16Array {
  if (count > slabLength / 8) return new Int16Array(count);
  if (used + count > slabLength) {
    slab = new Int16Array(slabLength);
    used = 0;
  }
  const samples = new Int16Array(slab.buffer, used * slab.BYTES_PER_ELEMENT, count);
  used += count;
  return samples;
}

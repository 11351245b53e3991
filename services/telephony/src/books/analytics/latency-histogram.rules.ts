/**
 * Each bucket's upper bound is a tenth larger than the previous one, starting at 100 ms, so a value read from a bucket is within 5 % of the measured one. The
 * last bucket is unbounded.
 */
const first = 100;
const growth = 1.1;
export const buckets = 60;

const bucketOf = (ms: number): number =>
  Math.min(buckets - 1, Math.max(0, Math.ceil(Math.log(ms / first) / Math.log(growth) - 1e-9)));

/** The number of latencies per bucket; empty for none. */
export function histogramOf(latencies: readonly number[]): number[] {
  if (latencies.length === 0) return [];
  const counts = new Array<number>(buckets).fill(0);
  for (const ms of latencies) {
    const at = bucketOf(ms);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** The midpoint of the bucket that contains the percentile, in whole milliseconds; null for an empty histogram. */
export function percentileOf(counts: readonly number[], percentile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  const at = counts.findIndex((count) => (seen += count) >= (percentile / 100) * total);
  if (at === 0) return first;
  return Math.round(first * growth ** (at - (at === buckets - 1 ? 1 : 0.5)));
}

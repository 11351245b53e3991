import { buckets, histogramOf, percentileOf } from './latency-histogram.rules';

describe('the histogram of turn latencies', () => {
  it('is empty without turns, with percentiles null', () => {
    expect(histogramOf([])).toEqual([]);
    expect(percentileOf([], 50)).toBeNull();
    expect(percentileOf(new Array<number>(buckets).fill(0), 95)).toBeNull();
  });

  it.each([101, 250, 480, 500, 1_000, 1_999, 7_777, 20_000])('gives a percentile within 5 %% for %d ms', (ms) => {
    const read = percentileOf(histogramOf([ms]), 50) ?? 0;
    expect(Math.abs(read - ms) / ms).toBeLessThanOrEqual(0.05);
  });

  it('gives 100 for values below the first bucket and 25,164 for values above the last', () => {
    expect(percentileOf(histogramOf([0, 1, 100]), 95)).toBe(100);
    expect(percentileOf(histogramOf([900_000]), 50)).toBe(25_164);
  });

  it('gives p50 and p95 of 1,000 values within 5 %', () => {
    const latencies = Array.from({ length: 1_000 }, (_, index) => 200 + index);
    const histogram = histogramOf(latencies);
    expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(Math.abs((percentileOf(histogram, 50) ?? 0) / 699.5 - 1)).toBeLessThanOrEqual(0.05);
    expect(Math.abs((percentileOf(histogram, 95) ?? 0) / 1_149 - 1)).toBeLessThanOrEqual(0.05);
  });
});

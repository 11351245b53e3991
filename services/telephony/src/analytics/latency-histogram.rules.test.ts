import { buckets, histogramOf, percentileOf } from './latency-histogram.rules';

describe('the histogram of turn latencies', () => {
  it('is empty for no turn, and has no percentile then', () => {
    expect(histogramOf([])).toEqual([]);
    expect(percentileOf([], 50)).toBeNull();
    expect(percentileOf(new Array<number>(buckets).fill(0), 95)).toBeNull();
  });

  it.each([101, 250, 480, 500, 1_000, 1_999, 7_777, 20_000])('reads %d ms within 5 %%', (ms) => {
    const read = percentileOf(histogramOf([ms]), 50) ?? 0;
    expect(Math.abs(read - ms) / ms).toBeLessThanOrEqual(0.05);
  });

  it('reads what is shorter than the first bucket as its end, and what is beyond the last as its beginning', () => {
    expect(percentileOf(histogramOf([0, 1, 100]), 95)).toBe(100);
    expect(percentileOf(histogramOf([900_000]), 50)).toBe(25_164);
  });

  it('reads p50 and p95 of many as those of the numbers themselves, within 5 %', () => {
    const latencies = Array.from({ length: 1_000 }, (_, index) => 200 + index);
    const histogram = histogramOf(latencies);
    expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(Math.abs((percentileOf(histogram, 50) ?? 0) / 699.5 - 1)).toBeLessThanOrEqual(0.05);
    expect(Math.abs((percentileOf(histogram, 95) ?? 0) / 1_149 - 1)).toBeLessThanOrEqual(0.05);
  });
});

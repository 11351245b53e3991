import { leaseTimesOf } from './lease-times.rules';

describe('times derived from the lease duration', () => {
  it.each([
    [1, { leaseMs: 1_000, silenceMs: 500, everyMs: 250, claimWaitMs: 1_000 / 3 }],
    [4, { leaseMs: 4_000, silenceMs: 2_000, everyMs: 1_000, claimWaitMs: 4_000 / 3 }],
    [15, { leaseMs: 15_000, silenceMs: 7_500, everyMs: 1_000, claimWaitMs: 5_000 }],
    [75, { leaseMs: 75_000, silenceMs: 37_500, everyMs: 1_000, claimWaitMs: 25_000 }],
    [300, { leaseMs: 300_000, silenceMs: 150_000, everyMs: 1_000, claimWaitMs: 25_000 }],
  ])('%i s: %j', (leaseSeconds, expected) => {
    expect(leaseTimesOf(leaseSeconds)).toEqual(expected);
  });
});

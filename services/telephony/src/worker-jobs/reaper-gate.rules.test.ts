import { ReaperGate } from './reaper-gate.rules';

/** One probe: a time at which both clocks agree, a failed probe, or a probe with deviating values. */
type Probe = number | 'failed' | { readonly at: number; readonly database?: number; readonly trusted?: boolean };

const opened = (probes: readonly Probe[]): boolean => {
  const gate = new ReaperGate(15_000, 3_000);
  let open = false;
  for (const probe of probes) {
    if (probe === 'failed') {
      gate.failed();
      open = false;
      continue;
    }
    const { at, database = at, trusted = true } = typeof probe === 'number' ? { at: probe } : probe;
    // The database's clock has a different origin.
    open = gate.probed({ atMs: at, databaseMs: 1e12 + database, trusted });
  }
  return open;
};

const everySecond = (from: number, to: number, shift = 0): Probe[] =>
  Array.from({ length: (to - from) / 1000 + 1 }, (_, n) => ({
    at: from + n * 1000,
    database: from + n * 1000 + shift,
  }));

describe('the reaper starts only when heartbeats could have come for one whole lease', () => {
  it.each<[string, Probe[], boolean]>([
    ['the first probe', [0], false],
    ['a probe just short of a lease', [...everySecond(0, 14_000), 14_999], false],
    ['a whole lease', everySecond(0, 15_000), true],
    ['a database that was away', [...everySecond(0, 10_000), 'failed', ...everySecond(11_000, 25_000)], false],
    ['a whole lease after it was back', [...everySecond(0, 10_000), 'failed', ...everySecond(11_000, 26_000)], true],
    ['an open gate whose database goes away', [...everySecond(0, 20_000), 'failed'], false],
    ['the longest gap', [...everySecond(0, 12_000), 15_000], true],
    ['a process that was stopped', [...everySecond(0, 12_000), 15_001], false],
    ['an open gate whose process was stopped', [...everySecond(0, 20_000), 40_000], false],
    ['a whole lease after that', [...everySecond(0, 20_000), ...everySecond(40_000, 55_000)], true],
    ['an untrusted control state', [...everySecond(0, 20_000), { at: 21_000, trusted: false }], false],
    [
      'just short of a lease after it was trusted again',
      [...everySecond(0, 20_000), { at: 21_000, trusted: false }, ...everySecond(22_000, 36_000), 36_999],
      false,
    ],
    [
      'a whole lease after it was trusted again',
      [...everySecond(0, 20_000), { at: 21_000, trusted: false }, ...everySecond(22_000, 37_000)],
      true,
    ],
    ['the longest drift', [...everySecond(0, 14_000), { at: 15_000, database: 18_000 }], true],
    ['a clock set forward', [...everySecond(0, 14_000), { at: 15_000, database: 18_001 }], false],
    ['a clock set back by the longest drift', [...everySecond(0, 14_000), { at: 15_000, database: 12_000 }], true],
    ['a clock set back', [...everySecond(0, 14_000), { at: 15_000, database: 11_999 }], false],
    [
      'a whole lease after a clock was set',
      [...everySecond(0, 14_000), ...everySecond(15_000, 30_000, 3_600_000)],
      true,
    ],
  ])('%s', (_, probes, expected) => {
    expect(opened(probes)).toBe(expected);
  });
});

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

describe('the reaper gate opens after heartbeats were possible for one whole lease', () => {
  it.each<[string, Probe[], boolean]>([
    ['closed at the first probe', [0], false],
    ['closed just before a whole lease', [...everySecond(0, 14_000), 14_999], false],
    ['open after a whole lease', everySecond(0, 15_000), true],
    [
      'closed if the database was unavailable within the lease',
      [...everySecond(0, 10_000), 'failed', ...everySecond(11_000, 25_000)],
      false,
    ],
    [
      'open a whole lease after the database was available again',
      [...everySecond(0, 10_000), 'failed', ...everySecond(11_000, 26_000)],
      true,
    ],
    ['closed again if the database becomes unavailable', [...everySecond(0, 20_000), 'failed'], false],
    ['open with the longest allowed gap between probes', [...everySecond(0, 12_000), 15_000], true],
    ['closed after a longer gap (paused process)', [...everySecond(0, 12_000), 15_001], false],
    ['closed again after a longer gap', [...everySecond(0, 20_000), 40_000], false],
    ['open a whole lease after that gap', [...everySecond(0, 20_000), ...everySecond(40_000, 55_000)], true],
    ['closed if the control state is not trusted', [...everySecond(0, 20_000), { at: 21_000, trusted: false }], false],
    [
      'closed just before a whole lease with a trusted control state',
      [...everySecond(0, 20_000), { at: 21_000, trusted: false }, ...everySecond(22_000, 36_000), 36_999],
      false,
    ],
    [
      'open a whole lease after the control state was trusted again',
      [...everySecond(0, 20_000), { at: 21_000, trusted: false }, ...everySecond(22_000, 37_000)],
      true,
    ],
    ['open with the longest allowed clock drift', [...everySecond(0, 14_000), { at: 15_000, database: 18_000 }], true],
    [
      'closed if the database clock was set forward',
      [...everySecond(0, 14_000), { at: 15_000, database: 18_001 }],
      false,
    ],
    [
      'open if the database clock was set back by the allowed drift',
      [...everySecond(0, 14_000), { at: 15_000, database: 12_000 }],
      true,
    ],
    [
      'closed if the database clock was set back further',
      [...everySecond(0, 14_000), { at: 15_000, database: 11_999 }],
      false,
    ],
    [
      'open a whole lease after the clock was set',
      [...everySecond(0, 14_000), ...everySecond(15_000, 30_000, 3_600_000)],
      true,
    ],
  ])('%s', (_, probes, expected) => {
    expect(opened(probes)).toBe(expected);
  });
});

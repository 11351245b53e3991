import { ReaperGate } from './reaper-gate';

const opened = (probes: readonly (number | 'failed')[]): boolean => {
  const gate = new ReaperGate(15_000, 3_000);
  let open = false;
  for (const probe of probes) {
    if (probe === 'failed') gate.failed();
    else open = gate.succeeded(probe);
  }
  return open;
};

const everySecond = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / 1000 + 1 }, (_, n) => from + n * 1000);

describe('the reaper starts only when heartbeats could have come for one whole lease', () => {
  it.each<[string, (number | 'failed')[], boolean]>([
    ['the first probe', [0], false],
    ['a probe just short of a lease', [...everySecond(0, 14_000), 14_999], false],
    ['a whole lease', everySecond(0, 15_000), true],
    ['a database that was away', [...everySecond(0, 10_000), 'failed', ...everySecond(11_000, 25_000)], false],
    ['a whole lease after it was back', [...everySecond(0, 10_000), 'failed', ...everySecond(11_000, 26_000)], true],
    ['the longest gap', [...everySecond(0, 12_000), 15_000], true],
    ['a process that was stopped', [...everySecond(0, 12_000), 15_001], false],
  ])('%s', (_, probes, expected) => {
    expect(opened(probes)).toBe(expected);
  });
});

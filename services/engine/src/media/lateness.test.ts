import { Lateness } from './lateness';
import { Overload } from './overload';

const noted = (...steps: readonly number[]): Lateness => {
  const lateness = new Lateness();
  for (const ms of steps) lateness.note(ms);
  return lateness;
};
const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

it.each<[string, readonly number[], number]>([
  ['without steps is 0', [], 0],
  ['of one step is that step', [7], 7],
  ['ignores one late step in a hundred', [...times(99, 1), 100], 1],
  ['includes two late steps in a hundred', [...times(98, 1), 100, 100], 100],
  ['is computed from the last 500 steps', [...times(500, 90), ...times(500, 2)], 2],
])('the 99th percentile of lateness %s', (_, steps, expected) => expect(noted(...steps).p99()).toBe(expected));

it.each([
  ['punctual steps', 14.9, 0, 1, false],
  ['late steps', 15, 0, 1, true],
  ['late steps on a machine whose timers are also late', 40, 26, 1, false],
  ['steps that are later than the timers of the machine', 41, 26, 1, true],
  ['late steps, but without calls', 90, 0, 0, false],
])(
  'a process with %s: %d ms late, timers %d ms late, %d calls: refuses further calls: %s',
  (_, own, bare, live, late) => {
    const overload = new Overload({ live: () => live });
    for (const ms of times(100, own)) overload.note(ms);
    overload.bare = bare;
    expect(overload.isLate()).toBe(late);
  },
);

it('a thread measures how late timers of the machine are', async () => {
  const overload = new Overload({ live: () => 1 });
  overload.start();
  try {
    const measured = await new Promise<number>((resolve) => (overload.onMeasured = resolve));
    expect(measured).toBeGreaterThanOrEqual(0);
    expect(overload.bare).toBe(measured);
  } finally {
    await overload.stop();
  }
});

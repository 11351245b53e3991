import { Lateness } from './lateness';
import { Overload } from './overload';

const noted = (...steps: readonly number[]): Lateness => {
  const lateness = new Lateness();
  for (const ms of steps) lateness.note(ms);
  return lateness;
};
const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

it.each<[string, readonly number[], number]>([
  ['of no step', [], 0],
  ['of one', [7], 7],
  ['is not moved by one step in a hundred', [...times(99, 1), 100], 1],
  ['is moved by two in a hundred', [...times(98, 1), 100, 100], 100],
  ['of the last 500 steps alone', [...times(500, 90), ...times(500, 2)], 2],
])('the 99th percentile %s', (_, steps, expected) => expect(noted(...steps).p99()).toBe(expected));

it.each([
  ['steps that are in time', 14.9, 0, 1, false],
  ['late steps', 15, 0, 1, true],
  ['late steps on a machine whose bare timers are late too', 40, 26, 1, false],
  ['steps that are later than bare timers', 41, 26, 1, true],
  ['late steps without a call, which no call has to bear', 90, 0, 0, false],
])('a process with %s takes no more calls: %d ms, of which bare %d, with %d calls: %s', (_, own, bare, live, late) => {
  const overload = new Overload({ live: () => live });
  for (const ms of times(100, own)) overload.note(ms);
  overload.bare = bare;
  expect(overload.isLate()).toBe(late);
});

it('a thread measures how late bare timers are', async () => {
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

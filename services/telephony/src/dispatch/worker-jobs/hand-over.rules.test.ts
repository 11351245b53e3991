import { mayBeTakenUp } from './hand-over.rules';

it.each([
  [29_999, true],
  [30_000, true],
  [30_001, false],
])('a call that lost its worker %i ms ago may be adopted by another worker: %s', (ms, expected) =>
  expect(mayBeTakenUp(new Date(0), new Date(ms))).toBe(expected),
);

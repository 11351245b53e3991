import { reapsLeft, type ReapCount } from './reaper-gate.rules';

describe('the number of leases that may still be reaped in this minute (a tenth of all)', () => {
  it.each<[string, ReapCount, number]>([
    ['no lease', { leases: 0, reaped: 0, atLeast: 1 }, 1],
    ['one lease', { leases: 1, reaped: 0, atLeast: 1 }, 1],
    ['one of two was reaped', { leases: 1, reaped: 1, atLeast: 1 }, 0],
    ['19 leases', { leases: 19, reaped: 0, atLeast: 1 }, 1],
    ['20 leases', { leases: 20, reaped: 0, atLeast: 1 }, 2],
    ['one of 20 was reaped', { leases: 19, reaped: 1, atLeast: 1 }, 1],
    ['two of 20 were reaped', { leases: 18, reaped: 2, atLeast: 1 }, 0],
    ['99 of 1000 were reaped', { leases: 901, reaped: 99, atLeast: 1 }, 1],
    ['100 of 1000 were reaped', { leases: 900, reaped: 100, atLeast: 1 }, 0],
    ['more reaped than left', { leases: 10, reaped: 100, atLeast: 1 }, 0],
    ['a larger minimum', { leases: 3, reaped: 4, atLeast: 5 }, 1],
    ['a larger minimum, reached', { leases: 3, reaped: 5, atLeast: 5 }, 0],
  ])('%s, %j: %i', (_, count, expected) => {
    expect(reapsLeft(count)).toBe(expected);
  });
});

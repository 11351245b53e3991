import {
  nextHealthState,
  failuresToFailing,
  initialHealth,
  concurrencyWindow,
  type EndpointHealth,
} from './endpoint-health.rules';

const run = (state: EndpointHealth, outcomes: readonly boolean[]): EndpointHealth =>
  outcomes.reduce(nextHealthState, state);
const times = (count: number, outcome: boolean): boolean[] => Array.from({ length: count }, () => outcome);

describe('nextHealthState', () => {
  it('an unproven endpoint has a concurrency of one until its first success', () => {
    const fresh = initialHealth('unproven', 0);
    expect(fresh.window).toBe(1);
    expect(run(fresh, [true])).toEqual({ health: 'healthy', failures: 0, window: concurrencyWindow.first });
  });

  it('the concurrency window grows by one per success, up to its maximum', () => {
    const healthy = initialHealth('healthy', 0);
    expect(run(healthy, times(1, true)).window).toBe(concurrencyWindow.first + 1);
    expect(run(healthy, times(55, true)).window).toBe(63);
    expect(run(healthy, times(56, true)).window).toBe(concurrencyWindow.most);
    expect(run(healthy, times(57, true)).window).toBe(concurrencyWindow.most);
  });

  it('a failure halves the window, and three in a row make the endpoint failing', () => {
    const healthy = { health: 'healthy', failures: 0, window: 20 } as const;
    expect(run(healthy, times(1, false))).toEqual({ health: 'healthy', failures: 1, window: 10 });
    expect(run(healthy, times(failuresToFailing - 1, false))).toEqual({ health: 'healthy', failures: 2, window: 5 });
    expect(run(healthy, times(failuresToFailing, false))).toEqual({ health: 'failing', failures: 3, window: 1 });
    expect(run(healthy, [false, false, true, false, false]).health).toBe('healthy');
  });

  it('one success makes a failing endpoint healthy with the initial window', () => {
    expect(run(initialHealth('failing', 9), [true])).toEqual({
      health: 'healthy',
      failures: 0,
      window: concurrencyWindow.first,
    });
  });
});

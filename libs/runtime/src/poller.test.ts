import { createLogger } from './log';
import { poller } from './poller';

const log = createLogger({ service: 'test', level: 'silent' });
const tick = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('poller', () => {
  it('never runs twice at the same time, and continues after errors', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const job = poller({
      name: 'job',
      everyMs: 1,
      log,
      run: async () => {
        most = Math.max(most, ++running);
        await tick();
        running--;
        if (++runs === 1) throw new Error('the first time');
      },
    });
    await job.start();
    await job.start();
    while (runs < 4) {
      job.wake();
      await tick();
    }
    await job.stop();
    const after = runs;
    await tick();
    expect([most, running, runs]).toEqual([1, 0, after]);
  });

  it('a wake-up ends the pause; a wake-up during a run causes one more run', async () => {
    let runs = 0;
    let release: (() => void) | undefined;
    const job = poller({
      name: 'job',
      everyMs: 3_600_000,
      log,
      run: async () => {
        runs++;
        if (runs === 2) await new Promise<void>((resolve) => (release = resolve));
      },
    });
    await job.start();
    while (runs < 1) await tick();
    await tick();
    job.wake();
    while (release === undefined) await tick();
    job.wake();
    release();
    while (runs < 3) await tick();
    await job.stop();
    expect(runs).toBe(3);
  });

  it.each([
    [200, 2_000],
    [1_000, 2_000],
    [1_001, 30_000],
    [60_000, 60_000],
  ])('a job every %i ms that always fails is retried at intervals of at most %i ms', async (everyMs, mostMs) => {
    jest.useFakeTimers();
    try {
      const begun: number[] = [];
      const run = () => {
        begun.push(Date.now());
        return Promise.reject(new Error('away'));
      };
      const job = poller({ name: 'job', everyMs, log, run });
      await job.start();
      await jest.advanceTimersByTimeAsync(30 * mostMs);
      await job.stop();
      const pauses = begun.slice(1).map((at, place) => at - (begun[place] ?? NaN));
      expect(Math.max(...pauses)).toBeLessThanOrEqual(mostMs);
      // Each pause is randomly shortened by up to a half, so that many processes that fail together do not retry at the same time.
      for (const pause of pauses.slice(-10)) expect(pause).toBeGreaterThanOrEqual(mostMs / 2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('a job that runs every hour is retried at least four times in the quarter of an hour after a failure', async () => {
    jest.useFakeTimers();
    try {
      let runs = 0;
      const run = () => {
        runs += 1;
        return Promise.reject(new Error('away'));
      };
      const job = poller({ name: 'hourly', everyMs: 3_600_000, log, run });
      await job.start();
      await jest.advanceTimersByTimeAsync(900_000);
      await job.stop();
      expect(runs).toBeGreaterThanOrEqual(5);
      expect(runs).toBeLessThanOrEqual(10);
    } finally {
      jest.useRealTimers();
    }
  });

  it('stop aborts the run and does not wait for the pause', async () => {
    let aborted = false;
    const job = poller({
      name: 'job',
      everyMs: 3_600_000,
      log,
      run: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('aborted'));
          });
        }),
    });
    await job.start();
    await job.stop();
    expect(aborted).toBe(true);
  });
});

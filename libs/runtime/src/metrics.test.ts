import { createLogger } from './log';
import { observeBackgroundTasks, observeBy, Registry } from './metrics';
import { poller } from './poller';

describe('observeBy', () => {
  const gauges = { depth: 'Things that wait', age_seconds: 'Age of the oldest' };

  it('reads once for all gauges of a scrape', async () => {
    const registry = new Registry();
    const read = jest.fn(() => Promise.resolve({ depth: 3, age_seconds: 1.5 }));
    observeBy(registry, gauges, read);
    const text = await registry.metrics();
    expect(text).toMatch(/^depth 3$/m);
    expect(text).toMatch(/^age_seconds 1\.5$/m);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('omits its gauges if reading fails, without failing the scrape', async () => {
    const registry = new Registry();
    observeBy(registry, gauges, () => Promise.reject(new Error('away')));
    observeBy(registry, { other: 'Still there' }, () => Promise.resolve({ other: 1 }));
    const text = await registry.metrics();
    expect(text).not.toMatch(/^(depth|age_seconds) /m);
    expect(text).toMatch(/^other 1$/m);
  });
});

describe('observeBackgroundTasks', () => {
  it('counts failures, and measures for how long a task has failed without success in between', async () => {
    const registry = new Registry();
    let nowMs = 1_000;
    const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
    observeBackgroundTasks(registry, clock);
    let fails = true;
    let runs = 0;
    const task = poller({
      name: 'measured',
      everyMs: 1,
      log: createLogger({ service: 'test', level: 'silent' }),
      clock,
      run: () => {
        runs += 1;
        return fails ? Promise.reject(new Error('away')) : Promise.resolve();
      },
    });
    const runAgain = async (): Promise<void> => {
      const before = runs;
      while (runs < before + 2) {
        task.wake();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const seconds = async (): Promise<string | undefined> =>
      /^parley_background_task_failing_seconds\{task="measured"\} (\S+)$/m.exec(await registry.metrics())?.[1];
    await task.start();
    await runAgain();
    nowMs += 60_000;
    await runAgain();
    expect(await seconds()).toBe('60');
    expect(await registry.metrics()).toMatch(/^parley_background_task_failures_total\{task="measured"\} [1-9]/m);
    fails = false;
    await runAgain();
    expect(await seconds()).toBe('0');
    await task.stop();
  });
});

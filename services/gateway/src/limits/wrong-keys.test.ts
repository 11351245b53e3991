import { AppError, internal, unauthorized } from '@parley/errors';
import { fakeClock } from '@parley/testing';
import { WrongKeys } from './wrong-keys';

const wrong = async (): Promise<never> => {
  throw unauthorized();
};

/** Wrong keys counted here, and look-ups that the test answers. */
function world(budget = 3) {
  const clock = fakeClock();
  const counts = new Map<string, number>();
  const counter = {
    add: async (name: string) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return { count, secondsLeft: 30 };
    },
  };
  const keys = new WrongKeys(counter, clock, budget);
  const open: (() => void)[] = [];
  const lookUp = (address: string) =>
    keys.lookUp(address, () => new Promise<string>((resolve) => open.push(() => resolve('right'))));
  const use = async (address: string, times: number) => {
    for (let time = 0; time < times; time += 1) await keys.lookUp(address, wrong).catch(() => undefined);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { clock, keys, counts, open, lookUp, use, settled };
}

describe('decisions 1: the budget of wrong keys', () => {
  it('counts unknown keys alone: neither right ones nor what auth could not answer', async () => {
    const { keys, counts } = world();
    await keys.lookUp('a', async () => 'right');
    await expect(keys.lookUp('a', async () => Promise.reject(internal(new Error('away'))))).rejects.toBeInstanceOf(
      AppError,
    );
    expect(counts.size).toBe(0);
    await expect(keys.lookUp('a', wrong)).rejects.toMatchObject({ code: 'UnauthorizedError' });
    expect([...counts.entries()]).toEqual([['wrong-keys:a', 1]]);
  });

  it.each([
    [3, 10],
    [4, 4],
  ])('after %i wrong keys of a budget of three %i look-ups run at once', async (wrongKeys, running) => {
    const { use, lookUp, open } = world();
    await use('a', wrongKeys);
    const pending = Array.from({ length: 10 }, () => lookUp('a'));
    expect(open).toHaveLength(running);
    for (let at = 0; at < 10; at += 1) {
      open[at]?.();
      await pending[at];
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(pending)).toEqual(Array.from({ length: 10 }, () => 'right'));
  });

  it('another address is not slowed down', async () => {
    const { use, lookUp, open } = world();
    await use('a', 4);
    const pending = Array.from({ length: 10 }, () => lookUp('b'));
    expect(open).toHaveLength(10);
    open.forEach((answer) => answer());
    await Promise.all(pending);
  });

  it('more than 500 waiting are refused with 429 and Retry-After, the others come to their turn', async () => {
    const { use, lookUp, open, settled } = world();
    await use('a', 4);
    const pending = Array.from({ length: 504 }, () => lookUp('a'));
    await expect(lookUp('a')).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      fields: { retry_after_seconds: 1 },
    });
    for (let answered = 0; answered < 504; answered += 1) {
      open[answered]?.();
      await settled();
    }
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['right']));
  });

  it('ends with its window', async () => {
    const { use, lookUp, open, clock } = world();
    await use('a', 4);
    clock.advance(30_000);
    const pending = Array.from({ length: 10 }, () => lookUp('a'));
    expect(open).toHaveLength(10);
    open.forEach((answer) => answer());
    await Promise.all(pending);
  });
});

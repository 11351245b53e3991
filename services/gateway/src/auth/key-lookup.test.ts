import { AppError, internal, unauthorized } from '@parley/errors';
import { Principal } from '@parley/proto/auth';
import { fakeClock } from '@parley/testing';
import { KeyLookup, type Question } from './key-lookup';

const right = Principal.fromPartial({ keyId: 'key_1', kind: 'customer' });
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Records counts of invalid keys. The fake auth knows only the token `right`, and responds to batches when the test triggers it. */
function world(budget = 3) {
  const clock = fakeClock();
  const counts = new Map<string, number>();
  const counter = {
    add: async (name: string, _seconds: number, by = 1) => {
      const count = (counts.get(name) ?? 0) + by;
      counts.set(name, count);
      return { count, secondsLeft: 30 };
    },
  };
  const state = { away: false, singles: 0, held: undefined as (() => void)[] | undefined };
  const batches: number[] = [];
  const keys = new KeyLookup(counter, clock, budget, {
    one: async ({ token }) => {
      state.singles += 1;
      if (state.away) throw internal(new Error('away'), 503);
      if (token !== 'right') throw unauthorized();
      return right;
    },
    many: async (questions: readonly Question[]) => {
      batches.push(questions.length);
      if (state.held !== undefined) await new Promise<void>((resolve) => state.held?.push(resolve));
      if (state.away) throw internal(new Error('away'), 503);
      return questions.map(({ token }) => (token === 'right' ? right : undefined));
    },
  });
  const lookUp = (address: string, token = 'right') => keys.lookUp(address, { token, context: { requestId: 'r' } });
  const use = async (address: string, times: number) => {
    for (let time = 0; time < times; time += 1) await lookUp(address, 'wrong').catch(() => undefined);
  };
  return { clock, counts, state, batches, lookUp, use };
}

describe('look-up of API keys at auth, with a budget of invalid keys per client address', () => {
  it('counts keys that auth rejects, but neither valid keys nor failures of auth', async () => {
    const { lookUp, counts, state } = world();
    await lookUp('a');
    state.away = true;
    await expect(lookUp('a')).rejects.toMatchObject({ code: 'internal_error' });
    expect(counts.size).toBe(0);
    state.away = false;
    await expect(lookUp('a', 'wrong')).rejects.toMatchObject({ code: 'UnauthorizedError' });
    expect([...counts.entries()]).toEqual([['invalid-keys:a', 1]]);
  });

  it.each([
    [3, [10, 0]],
    [4, [0, 1]],
  ])(
    'after %i invalid keys with a budget of three, ten look-ups send %j [single, batch] requests to auth',
    async (wrong, expected) => {
      const { use, lookUp, state, batches } = world();
      await use('a', wrong);
      state.singles = 0;
      const answers = await Promise.all(Array.from({ length: 10 }, () => lookUp('a')));
      expect(new Set(answers)).toEqual(new Set([right]));
      expect([state.singles, batches.length]).toEqual(expected);
    },
  );

  it('in a batch, accepts the valid keys, rejects the invalid ones with 401 and counts them', async () => {
    const { use, lookUp, counts } = world();
    await use('a', 4);
    const tokens = Array.from({ length: 20 }, (_, index) => (index % 5 === 0 ? 'right' : 'wrong'));
    const answers = await Promise.allSettled(tokens.map((token) => lookUp('a', token)));
    expect(answers.map(({ status }) => status)).toEqual(
      tokens.map((token) => (token === 'right' ? 'fulfilled' : 'rejected')),
    );
    const refused = answers.find((answer) => answer.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'UnauthorizedError', status: 401 });
    expect(counts.get('invalid-keys:a')).toBe(4 + 16);
  });

  it('if one address is over its budget, keys from another address are still looked up one by one', async () => {
    const { use, lookUp, state, batches } = world();
    await use('a', 4);
    state.singles = 0;
    await Promise.all(Array.from({ length: 10 }, () => lookUp('b')));
    expect([state.singles, batches.length]).toEqual([10, 0]);
  });

  it('with 4,096 look-ups waiting, refuses the next one with 429 and Retry-After, and completes the others', async () => {
    const { use, lookUp, state, batches } = world();
    await use('a', 4);
    state.held = [];
    const pending = Array.from({ length: 4_096 }, () => lookUp('a'));
    const refused = await lookUp('a').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: 'rate_limited', status: 429, fields: { retry_after_seconds: 1 } });
    await tick();
    while (state.held.length > 0) {
      state.held.shift()?.();
      await tick();
    }
    expect(new Set(await Promise.all(pending))).toEqual(new Set([right]));
    expect([batches.length, Math.max(...batches)]).toEqual([4_096 / 256, 256]);
  });

  it('in batches, answers 503 while auth is unavailable without counting the key, and looks it up again afterwards', async () => {
    const { use, lookUp, counts, state } = world();
    await use('a', 4);
    state.away = true;
    await expect(lookUp('a')).rejects.toMatchObject({ code: 'internal_error', status: 503 });
    state.away = false;
    expect([await lookUp('a'), counts.get('invalid-keys:a')]).toEqual([right, 4]);
  });

  it('looks keys up one by one again when the time window of the budget has ended', async () => {
    const { use, lookUp, clock, state, batches } = world();
    await use('a', 4);
    clock.advance(30_000);
    state.singles = 0;
    await Promise.all(Array.from({ length: 10 }, () => lookUp('a')));
    expect([state.singles, batches.length]).toEqual([10, 0]);
  });
});

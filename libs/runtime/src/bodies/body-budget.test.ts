import { BodyBudget, type BodyOwner } from './body-budget';

const one = { address: '192.0.2.1', keyId: 'key_1' };
const keyless = { address: '192.0.2.9' };

/** What holding the bytes leads to. */
const refusalOf = (budget: BodyBudget, owner: BodyOwner, bytes: number): string | undefined => {
  try {
    budget.open(owner).hold(bytes);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('BodyBudget', () => {
  it.each<[string, readonly (readonly [BodyOwner, number])[], BodyOwner, number, string | undefined]>([
    ['a body as large as the room of a client', [], one, 40, undefined],
    ['a byte more', [], one, 41, 'rate_limited'],
    ['the rest of an address', [[{ ...one, keyId: 'key_2' }, 30]], one, 10, undefined],
    ['more than the rest of an address', [[{ ...one, keyId: 'key_2' }, 30]], one, 11, 'rate_limited'],
    ['the rest of a key', [[{ ...one, address: '192.0.2.2' }, 30]], one, 10, undefined],
    ['more than the rest of a key', [[{ ...one, address: '192.0.2.2' }, 30]], one, 11, 'rate_limited'],
    [
      'the rest of the process',
      [
        [{ address: 'a', keyId: 'a' }, 40],
        [{ address: 'b', keyId: 'b' }, 30],
      ],
      one,
      30,
      undefined,
    ],
    [
      'more than the rest of the process',
      [
        [{ address: 'a', keyId: 'a' }, 40],
        [{ address: 'b', keyId: 'b' }, 30],
      ],
      one,
      31,
      'overloaded',
    ],
    ['half of the process without a key', [[{ address: 'a' }, 25]], keyless, 25, undefined],
    ['more than half of the process without a key', [[{ address: 'a' }, 25]], keyless, 26, 'overloaded'],
    [
      'a key next to them',
      [
        [{ address: 'a' }, 25],
        [keyless, 25],
      ],
      one,
      40,
      undefined,
    ],
  ])('%s', (_what, before, owner, bytes, refusal) => {
    const budget = new BodyBudget({ process: 100, client: 40 });
    for (const [held, size] of before) budget.open(held).hold(size);
    expect(refusalOf(budget, owner, bytes)).toBe(refusal);
  });

  it('refuses a body for which there is no room now, and holds only what has arrived of one for which there is', () => {
    const budget = new BodyBudget({ process: 100, client: 40 });
    const account = budget.open(one);
    account.hold(10, 40);
    expect(budget.held).toBe(10);
    expect(() => budget.open(one).hold(10, 31)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(budget.held).toBe(10);
    budget.open(one).hold(10, 30);
    expect(() => account.hold(20, 31)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    account.hold(20, 30);
    expect(budget.held).toBe(30);
  });

  it('counts an account by what it holds now, and nothing after its end or a refusal', () => {
    const budget = new BodyBudget({ process: 100, client: 40 });
    const account = budget.open(one);
    account.hold(10);
    account.hold(30);
    expect(budget.held).toBe(30);
    expect(() => account.hold(41)).toThrow(
      expect.objectContaining({ code: 'rate_limited', fields: { retry_after_seconds: 1 } }),
    );
    expect(budget.held).toBe(30);
    account.hold(5);
    expect(budget.held).toBe(5);
    account.release();
    account.hold(20);
    expect(budget.held).toBe(0);
    expect(refusalOf(budget, one, 40)).toBeUndefined();
  });
});

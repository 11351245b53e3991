import { customerScopes } from '@parley/contract';
import { internal } from '@parley/errors';
import { Principal } from '@parley/proto/auth';
import { verificationMaxAgeMs } from '@parley/runtime';
import { fakeClock } from '@parley/testing';
import { Principals } from './principals';

const context = { requestId: 'r' };

/** Fakes of auth and the control state, controlled by the test. */
function world() {
  const clock = fakeClock();
  const state = {
    epoch: '5',
    trusted: true,
    revoked: new Set<string>(),
    refreshFails: false,
    forgotten: 0n,
    generation: 0,
  };
  const principal = Principal.fromPartial({
    keyId: 'key_1',
    organizationId: 'org_1',
    kind: 'customer',
    scopes: ['all-read'],
    epoch: '5',
  });
  const asked: ((answer: Principal | Error) => void)[] = [];
  const auth = {
    verifyToken: () =>
      new Promise<Principal>((resolve, reject) =>
        asked.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))),
      ),
  };
  const controlState = {
    trusted: () => state.trusted,
    refreshed: async () => {
      if (state.refreshFails) throw internal(new Error('away'), 503);
      state.trusted = true;
    },
    isRevoked: (keyId: string) => state.revoked.has(keyId),
    knowsSince: (epoch: bigint) => epoch >= state.forgotten,
    get epoch() {
      return state.epoch;
    },
    get generation() {
      return state.generation;
    },
  };
  const used: string[] = [];
  const principals = new Principals({
    controlState,
    clock,
    keyLookup: { lookUp: () => auth.verifyToken() },
    lastUsed: { note: (keyId) => void used.push(keyId) },
  });
  const callerOf = (token = 't', address = '192.0.2.1') => principals.verifyCaller(token, context, address);
  /** A look-up to which auth responds at once. */
  const verified = async (answer: Principal | Error = principal, token = 't') => {
    const pending = callerOf(token);
    asked.at(-1)?.(answer);
    return pending;
  };
  return { clock, state, principal, asked, used, callerOf, verified };
}

describe('authentication of callers and its cache', () => {
  it.each([
    ['192.0.2.7', true],
    ['198.51.100.7', false],
    ['2001:db8::7', true],
    ['2001:db9::7', false],
    ['', false],
  ])('accepts a key with allowed_cidrs from the address %p: %p', async (address, may) => {
    const { verified, callerOf, principal } = world();
    await verified(Principal.fromPartial({ ...principal, allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] }));
    const known = callerOf('t', address);
    if (may) expect(await known).toMatchObject({ keyId: 'key_1' });
    else await expect(known).rejects.toMatchObject({ status: 401, code: 'UnauthorizedError' });
  });

  it('expands bundles of scopes, and returns the same cached caller object each time', async () => {
    const { verified, callerOf, asked } = world();
    const caller = await verified();
    expect(caller).toMatchObject({ keyId: 'key_1', organizationId: 'org_1', kind: 'customer' });
    expect(caller.scopes).toHaveLength(17);
    expect(await callerOf()).toBe(caller);
    expect(asked).toHaveLength(1);
  });

  it('records every accepted use of a key, including cached ones, and no refused use', async () => {
    const { verified, callerOf, used, state } = world();
    await verified();
    await callerOf();
    state.revoked.add('key_1');
    await expect(callerOf()).rejects.toMatchObject({ code: 'UnauthorizedError' });
    expect(used).toEqual(['key_1', 'key_1']);
  });

  it('sends one look-up per token for concurrent requests', async () => {
    const { callerOf, asked, principal } = world();
    const pending = [callerOf(), callerOf(), callerOf('other')];
    expect(asked).toHaveLength(2);
    asked.forEach((answer) => answer(principal));
    expect(await Promise.all(pending)).toHaveLength(3);
  });

  it.each([
    ['older', '4', 2],
    ['equal', '5', 1],
    ['newer', '6', 1],
    ['newer, with one digit more', '10', 1],
  ])(
    'caches an answer of auth unless its epoch is older than that of the applied control state: %s',
    async (_what, epoch, questions) => {
      const { verified, principal, asked } = world();
      await verified({ ...principal, epoch });
      await verified({ ...principal, epoch });
      expect(asked).toHaveLength(questions);
    },
  );

  it('looks a cached key up again if it was verified before the oldest revocation that is still known', async () => {
    const { callerOf, verified, asked, principal, state } = world();
    await verified();
    state.epoch = '9';
    state.forgotten = 9n;
    const again = callerOf();
    asked[1]?.(internal(new Error('unknown'), 500));
    await expect(again).rejects.toMatchObject({ status: 503 });
    await verified({ ...principal, epoch: '9' });
    await callerOf();
    expect(asked).toHaveLength(3);
  });

  it('repeats a look-up once if its answer is older than the oldest known revocation, then answers 503', async () => {
    const { callerOf, asked, principal, state } = world();
    const pending = [callerOf(), callerOf('other')];
    state.forgotten = 9n;
    asked.splice(0).forEach((answer) => answer(principal));
    await new Promise(setImmediate);
    expect(asked).toHaveLength(2);
    asked[0]?.({ ...principal, epoch: '9' });
    asked[1]?.(principal);
    await expect(pending[0]).resolves.toMatchObject({ keyId: 'key_1' });
    await expect(pending[1]).rejects.toMatchObject({ code: 'internal_error', status: 503 });
  });

  it('looks a cached key up again after the control state was replaced by another generation', async () => {
    const { callerOf, verified, asked, state } = world();
    await verified();
    state.generation = 1;
    await verified();
    await callerOf();
    expect(asked).toHaveLength(2);
  });

  it.each([
    [-1, 1],
    [0, 2],
  ])('caches a verification for two minutes: %i ms from that age there were %i look-ups', async (from, lookUps) => {
    const { clock, verified, asked } = world();
    await verified();
    clock.advance(verificationMaxAgeMs + from);
    await verified();
    expect(asked).toHaveLength(lookUps);
  });

  it('refuses a key that was revoked during its first look-up', async () => {
    const { callerOf, asked, principal, state } = world();
    const pending = callerOf();
    state.revoked.add('key_1');
    state.epoch = '6';
    asked[0]?.(principal);
    await expect(pending).rejects.toMatchObject({ code: 'UnauthorizedError' });
  });

  it('refuses a revoked key each time, without another look-up', async () => {
    const { verified, callerOf, asked, state } = world();
    await verified();
    state.revoked.add('key_1');
    await expect(callerOf()).rejects.toMatchObject({ code: 'UnauthorizedError' });
    await expect(callerOf()).rejects.toMatchObject({ code: 'UnauthorizedError' });
    expect(asked).toHaveLength(1);
  });

  it('expands the bundle "all" to all current customer scopes, and ignores unknown scope names', async () => {
    const { verified, principal } = world();
    const caller = await verified({ ...principal, scopes: ['all', 'gone:read'] });
    expect([...caller.scopes].sort()).toEqual([...customerScopes].sort());
  });

  it('sends one look-up for 1,000 concurrent first uses of one key', async () => {
    const { callerOf, asked, principal } = world();
    const pending = Array.from({ length: 1_000 }, () => callerOf());
    expect(asked).toHaveLength(1);
    asked[0]?.(principal);
    expect(new Set(await Promise.all(pending)).size).toBe(1);
  });

  it('names the parent key of a session, and none of another key', async () => {
    const { verified, principal } = world();
    expect(await verified()).not.toHaveProperty('sessionOf');
    expect(await verified({ ...principal, sessionOf: 'key_2' }, 'session')).toMatchObject({ sessionOf: 'key_2' });
  });

  it('returns the limits that a key shares, and none of another key', async () => {
    const { verified, principal } = world();
    expect(await verified()).not.toHaveProperty('sharedLimits');
    const sharedLimits = [{ keyId: 'key_2', requestsPerMinute: 100 }];
    const rootKeyId = 'key_2';
    expect(await verified({ ...principal, sharedLimits, rootKeyId }, 'minted')).toMatchObject({
      sharedLimits,
      rootKeyId,
    });
  });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('accepts a cached key only before its expiry: %i ms from it', async (fromEnd, alive) => {
    const { verified, callerOf, clock, principal } = world();
    await verified({ ...principal, expiresAtMs: String(clock.now().getTime() + 1_000) });
    clock.advance(1_000 + fromEnd);
    if (alive) await expect(callerOf()).resolves.toMatchObject({ keyId: 'key_1' });
    else await expect(callerOf()).rejects.toMatchObject({ code: 'UnauthorizedError' });
  });

  it('if the control state is too old, answers 503 for cached keys until it was read again', async () => {
    const { verified, callerOf, state } = world();
    await verified();
    Object.assign(state, { trusted: false, refreshFails: true });
    await expect(callerOf()).rejects.toMatchObject({ code: 'internal_error', status: 503 });
    state.refreshFails = false;
    await expect(callerOf()).resolves.toMatchObject({ keyId: 'key_1' });
  });

  it.each([
    ['is unavailable', internal(new Error('away'), 503)],
    ['times out', internal(new Error('slow'), 504)],
    ['fails', internal(new Error('broken'), 500)],
  ])('answers 503 instead of 401 if auth %s, and calls it again for the next request', async (_what, error) => {
    const { verified, asked } = world();
    await expect(verified(error)).rejects.toMatchObject({ code: 'internal_error', status: 503 });
    await expect(verified()).resolves.toMatchObject({ keyId: 'key_1' });
    expect(asked).toHaveLength(2);
  });

  it('answers internal_error for an unknown kind of principal', async () => {
    const { verified, principal } = world();
    await expect(verified({ ...principal, kind: 'admin' })).rejects.toMatchObject({ code: 'internal_error' });
  });
});

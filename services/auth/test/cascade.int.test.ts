import { randomBytes } from 'node:crypto';
import { routes } from '@parley/contract';
import type { Caller, Database } from '@parley/runtime';
import { eventually, requestPublic } from '@parley/testing';
import { getControlState } from '../src/control-state';
import { createSession, mintKey } from '../src/keys';
import type { MintedKey } from '../src/keys/mint-key';
import {
  anonymous,
  asOperator,
  asToken,
  auditLog,
  mint,
  newOrganization,
  organizationWithKey,
  startPlatform,
  type Platform,
  type TestKey,
} from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const revoking = async (caller: Caller, keyId: string, cascade: 'true' | 'false' = 'true') =>
  (
    await requestPublic(platform.replicaApi, routes.revokeApiKey, {
      caller,
      organizationId: caller.organizationId,
      params: { key_id: keyId },
      query: { cascade },
    })
  ).body;

const isLive = async ({ token }: { token: string }): Promise<boolean> =>
  platform.client.verifyToken({ token }, anonymous).then(
    () => true,
    () => false,
  );

/** A key with the scope to mint, and its caller. */
async function minted(caller: Caller, organizationId: string) {
  const key = await mint(platform, caller, organizationId, ['api_keys:write', 'agents:read', 'calls:read']);
  return { ...key, caller: await asToken(platform, key.token) };
}

async function session(caller: Caller): Promise<TestKey & { caller: Caller }> {
  const { body } = await requestPublic(platform.api, routes.createSession, { caller });
  const { key_id: keyId, token = '', scopes } = body;
  return { keyId, token, scopes, caller: await asToken(platform, token) };
}

/** Waits until this many connections wait for a lock. */
const waitingForLocks = (count: number) =>
  eventually(async () => {
    const { rowCount } = await platform.db.query({
      text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return rowCount >= count ? true : undefined;
  });

/**
 * Starts a use case whose transaction has done everything but its commit when this resolves.
 * @returns the function that lets it commit; it returns the new key
 */
async function heldOpen(create: (db: Database) => Promise<MintedKey>): Promise<() => Promise<{ token: string }>> {
  const [worked, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const db: Database = {
    query: (statement) => platform.db.query(statement),
    pool: platform.db.pool,
    transaction: (work) =>
      platform.db.transaction(async (tx) => {
        const result = await work(tx);
        worked.resolve();
        await committing.promise;
        return result;
      }),
  };
  const created = create(db);
  await Promise.race([worked.promise, created]);
  return async () => {
    committing.resolve();
    return { token: (await created).token };
  };
}

const request = (organizationId: string, route: string) => ({
  organizationId,
  route,
  key: '',
  fingerprint: randomBytes(32),
});

const heldMint = (caller: Caller, organizationId: string) =>
  heldOpen((db) =>
    mintKey({ ...platform.dependencies, db }, request(organizationId, 'mint-api-key'), () => ({
      ...{ caller, organizationId, name: 'late', scopes: ['agents:read'] },
      ...{ allowedCidrs: [], requestsPerMinute: 0, expiresAt: '' },
    })),
  );

const heldSession = (caller: Caller) =>
  heldOpen((db) =>
    createSession({ ...platform.dependencies, db }, request(caller.organizationId, 'create-session'), { caller }),
  );

describe('revocation with cascade during a mint', () => {
  it.each([1, 2, 3])('also revokes a key that a descendant of degree %i is minting', async (degree) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const root = await minted(admin, organizationId);
    let last = root;
    for (let n = 0; n < degree; n += 1) last = await minted(last.caller, organizationId);
    const commit = await heldMint(last.caller, organizationId);
    const revoked = revoking(admin, root.keyId);
    await waitingForLocks(1);
    const late = await commit();
    await revoked;
    expect([await isLive(last), await isLive(late)]).toEqual([false, false]);
  });

  it('also revokes a key that is minted by a key which is being revoked alone', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const root = await minted(admin, organizationId);
    const child = await minted(root.caller, organizationId);
    const commit = await heldMint(child.caller, organizationId);
    const alone = revoking(admin, child.keyId, 'false');
    await waitingForLocks(1);
    const all = revoking(admin, root.keyId);
    await waitingForLocks(2);
    const late = await commit();
    await Promise.all([alone, all]);
    expect([await isLive(child), await isLive(late)]).toEqual([false, false]);
  });

  it('also revokes a session that a session of a minted key is creating', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const root = await minted(admin, organizationId);
    const child = await minted(root.caller, organizationId);
    const first = await session(child.caller);
    const commit = await heldSession(first.caller);
    const revoked = revoking(admin, root.keyId);
    await waitingForLocks(1);
    const late = await commit();
    await revoked;
    expect([await isLive(first), await isLive(late)]).toEqual([false, false]);
  });

  it('without cascade also ends a session that a session is creating', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const root = await minted(admin, organizationId);
    const first = await session(root.caller);
    const commit = await heldSession(first.caller);
    const revoked = revoking(admin, root.keyId, 'false');
    await waitingForLocks(1);
    const late = await commit();
    await revoked;
    expect([await isLive(first), await isLive(late)]).toEqual([false, false]);
  });
});

it('revocations of a session and of one that its session created do not deadlock', async () => {
  const { admin } = await organizationWithKey(platform);
  const first = await session(admin);
  const [second, third] = [await session(first.caller), await session(first.caller)];
  const [ofSecond, ofThird] = [await session(second.caller), await session(third.caller)];
  const revocations = await platform.db.transaction(async (tx) => {
    await tx.query({ text: 'select 1 from control_epoch for update' });
    const outer = revoking(admin, first.keyId, 'false');
    await waitingForLocks(1);
    const inner = [ofSecond, ofThird].map(({ keyId }) => revoking(admin, keyId, 'false'));
    await waitingForLocks(3);
    return { all: [outer, ...inner] };
  });
  for (const { revoked_at } of await Promise.all(revocations.all)) expect(revoked_at).not.toBeNull();
  expect(await Promise.all([first, second, third, ofSecond, ofThird].map(isLive))).toEqual(Array(5).fill(false));
});

describe('revocation of an operator’s key with cascade', () => {
  /** An operator's session that minted keys in two organizations, one of which minted a key, a gateway token and a session. */
  async function family() {
    const operator = await session(await asOperator(platform));
    const [one, two] = [await newOrganization(platform), await newOrganization(platform)];
    const [inOne, inTwo] = [await minted(operator.caller, one), await minted(operator.caller, two)];
    const child = await minted(inOne.caller, one);
    const body = { organization_id: one, deployment_name: 'edge' };
    const created = await requestPublic(platform.api, routes.mintGatewayToken, { caller: inOne.caller, body });
    const gateway = { keyId: created.body.gateway_token_id, token: created.body.token ?? '' };
    return { operator, one, two, inOne, inTwo, child, gateway, ofChild: await session(child.caller) };
  }

  it('also revokes what it minted in every organization, with an audit entry there, as a single revocation does', async () => {
    const { operator, one, two, inOne, inTwo, child, gateway, ofChild } = await family();
    const unrelated = await organizationWithKey(platform);
    const caller = await asOperator(platform);
    const { epoch = '0' } = await getControlState(platform.db, '0');
    await revoking(caller, operator.keyId);

    const gone = [operator, inOne, inTwo, child, gateway, ofChild];
    expect(await Promise.all(gone.map(isLive))).toEqual(gone.map(() => false));
    expect([await isLive(platform.operator), await isLive(unrelated.adminKey)]).toEqual([true, true]);
    const acts = async (organizationId: string) =>
      (await auditLog(platform, caller, organizationId))
        .filter(({ action }) => action.endsWith('.revoked'))
        .map(({ action, subject, organization_id, actor_key_id }) => [action, subject, organization_id, actor_key_id])
        .sort();
    expect(await acts(one)).toEqual(
      [
        ['api_key.revoked', inOne.keyId, one, caller.keyId],
        ['api_key.revoked', child.keyId, one, caller.keyId],
        ['gateway_token.revoked', gateway.keyId, one, caller.keyId],
        ['session.revoked', ofChild.keyId, one, caller.keyId],
      ].sort(),
    );
    expect(await acts(two)).toEqual([['api_key.revoked', inTwo.keyId, two, caller.keyId]]);
    // What gateways learn: each key under its own epoch, none of them missing from a poll that returns part of the changes.
    const { revokedKeyIds = [], epoch: newest } = await getControlState(platform.db, epoch);
    expect([...revokedKeyIds].sort()).toEqual(gone.map(({ keyId }) => keyId).sort());
    expect(BigInt(newest ?? '0') - BigInt(epoch)).toBe(BigInt(gone.length));
    const { revokedKeyIds: part = [], more, epoch: until = '0' } = await getControlState(platform.db, epoch, 2);
    const rest = await getControlState(platform.db, until);
    expect([more, [...part, ...(rest.revokedKeyIds ?? [])].sort()]).toEqual([true, [...revokedKeyIds].sort()]);
  });

  it('without cascade revokes none of them', async () => {
    const { operator, inOne, inTwo, child } = await family();
    await revoking(await asOperator(platform), operator.keyId, 'false');
    expect(await Promise.all([operator, inOne, inTwo, child].map(isLive))).toEqual([false, true, true, true]);
  });

  it('of an organization’s key revokes nothing that another organization’s row names as minted by it', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const other = await organizationWithKey(platform);
    const root = await minted(admin, organizationId);
    const text = 'update api_keys set created_by = $1 where key_id = $2';
    await platform.db.query({ text, values: [root.keyId, other.adminKey.keyId] });
    await revoking(admin, root.keyId);
    expect(await Promise.all([root, adminKey, other.adminKey].map(isLive))).toEqual([false, true, true]);
  });

  it('is refused to customers', async () => {
    const { admin } = await organizationWithKey(platform);
    await expect(revoking(admin, platform.operator.keyId)).rejects.toMatchObject({ status: 403 });
  });
});

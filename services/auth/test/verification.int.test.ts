import { randomBytes } from 'node:crypto';
import { routes, tokenChecksum } from '@parley/contract';
import { newId } from '@parley/runtime';
import { eventually, requestPublic } from '@parley/testing';
import { parsePeppers } from '../src/keys/peppers.rules';
import { verifyToken, verifyTokens } from '../src/keys/verify-token';
import {
  anonymous,
  asOperator,
  asToken,
  auditLog,
  mint,
  organizationWithKey,
  pepper,
  revoke,
  startPlatform,
  type Platform,
} from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const verify = (token: string) => platform.client.verifyToken({ token }, anonymous);
const unauthorized = { code: 'UnauthorizedError', status: 401 };
const forbidden = { code: 'ForbiddenError', status: 403 };
const notFound = { code: 'NotFoundError', status: 404 };

describe('verification', () => {
  it('returns the principal and the epoch for a valid token', async () => {
    const { organizationId, adminKey } = await organizationWithKey(platform);
    const { epoch } = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
    expect(await verify(adminKey.token)).toEqual({
      keyId: adminKey.keyId,
      organizationId,
      deployment: '',
      kind: 'customer',
      scopes: ['all'],
      expiresAtMs: '0',
      allowedCidrs: [],
      requestsPerMinute: 0,
      sharedLimits: [],
      sessionOf: '',
      rootKeyId: adminKey.keyId,
      epoch,
    });
    expect(platform.touched).toContain(adminKey.keyId);
  });

  it('an operator key has all customer and operator scopes and no organization', async () => {
    const principal = await verify(platform.operator.token);
    expect(principal).toMatchObject({ kind: 'operator', organizationId: '' });
    expect(principal.scopes).toEqual(expect.arrayContaining(['all', 'operator:write', 'worker_jobs:claim']));
  });

  it.each([
    ['an unknown token', () => `tai_${'a'.repeat(32)}5I0mBx`],
    ['no token', () => ''],
    [
      'a mistyped token',
      () => `${platform.operator.token.slice(0, -1)}${platform.operator.token.endsWith('x') ? 'y' : 'x'}`,
    ],
    ['a token with another prefix', () => `tgw_${platform.operator.token.slice(4)}`],
  ])('401: %s', async (_, token) => {
    await expect(verify(token())).rejects.toMatchObject(unauthorized);
  });

  it('a malformed token is rejected without a database query', async () => {
    const db = { ...platform.db, query: () => Promise.reject(new Error('no look-up was expected')) };
    const { peppers } = platform.dependencies;
    await expect(verifyToken({ db, peppers }, 'tai_short')).rejects.toMatchObject(unauthorized);
  });

  it('a batch of tokens is verified by one query; each result equals a single verification, in the same order', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const revoked = await mint(platform, admin, organizationId, ['agents:read']);
    await revoke(platform.api, admin, organizationId, revoked.keyId);
    const unknown = `tai_${'a'.repeat(32)}`;
    const tokens = [
      revoked.token,
      adminKey.token,
      'tai_short',
      unknown + tokenChecksum(unknown),
      platform.operator.token,
      adminKey.token,
    ];
    const { verifications } = await platform.client.verifyTokens({ tokens }, anonymous);
    const alone = await Promise.all(tokens.map((token) => verify(token).catch(() => undefined)));
    expect(verifications.map(({ principal }) => principal)).toEqual(alone);
    expect(alone.map((principal) => principal?.keyId)).toEqual([
      undefined,
      adminKey.keyId,
      undefined,
      undefined,
      platform.operator.keyId,
      adminKey.keyId,
    ]);
    const statements: unknown[] = [];
    const query = <R>(statement: { text: string; values?: readonly unknown[] }) => {
      statements.push(statement);
      return platform.db.query<R>(statement);
    };
    await verifyTokens({ ...platform.dependencies, db: { ...platform.db, query } }, tokens);
    expect(statements).toHaveLength(1);
  });

  it.each([
    [256, undefined],
    [257, { code: 'BadRequestError', status: 400 }],
  ])('a batch of %i tokens', async (count, refusal) => {
    const asked = platform.client.verifyTokens({ tokens: Array.from({ length: count }, () => 'x') }, anonymous);
    if (refusal === undefined) expect((await asked).verifications).toHaveLength(count);
    else await expect(asked).rejects.toMatchObject(refusal);
  });

  it('401 after the key has expired, by the database clock', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const key = await mint(platform, admin, organizationId, ['agents:read'], expiresAt);
    expect((await verify(key.token)).expiresAtMs).toBe(String(Date.parse(expiresAt)));
    const expire = `update api_keys set expires_at = now() where key_id = $1`;
    await platform.db.query({ text: expire, values: [key.keyId] });
    await expect(verify(key.token)).rejects.toMatchObject(unauthorized);
  });

  it('401 if a key mints that has expired since it was verified', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const issuer = await mint(platform, admin, organizationId, ['api_keys:write', 'agents:read'], expiresAt);
    const caller = await asToken(platform, issuer.token);
    const another = () => mint(platform, caller, organizationId, ['agents:read'], expiresAt);
    await another();
    const expire = `update api_keys set expires_at = now() where key_id = $1`;
    await platform.db.query({ text: expire, values: [issuer.keyId] });
    await expect(another()).rejects.toMatchObject(unauthorized);
  });

  it('a token under an older pepper is accepted and rehashed under the last one; one under a removed pepper is rejected', async () => {
    const [used, unused] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const newer = randomBytes(32).toString('base64');
    const under = (peppers: string) => ({ db: platform.db, peppers: parsePeppers(peppers) });
    const verified = async (peppers: string) => (await verifyToken(under(peppers), used.adminKey.token)).keyId;
    // The old pepper is still the last of the list, so the token is accepted but not rehashed.
    expect(await verified(`2:${newer},1:${pepper}`)).toBe(used.adminKey.keyId);
    await expect(verified(`2:${newer}`)).rejects.toMatchObject(unauthorized);
    // Several replicas verify at once.
    const together = await Promise.all(Array.from({ length: 8 }, () => verified(`1:${pepper},2:${newer}`)));
    expect(new Set(together)).toEqual(new Set([used.adminKey.keyId]));
    expect(await verified(`2:${newer}`)).toBe(used.adminKey.keyId);
    await expect(verified(`1:${pepper}`)).rejects.toMatchObject(unauthorized);
    await expect(verifyToken(under(`2:${newer}`), unused.adminKey.token)).rejects.toMatchObject(unauthorized);
    expect((await verifyToken(under(`1:${pepper},2:${newer}`), unused.adminKey.token)).keyId).toBe(
      unused.adminKey.keyId,
    );
  });
});

describe('revocation', () => {
  it('a revoked key returns 401 immediately; revoking it again returns the same response and writes no audit entry', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['agents:read']);
    const first = await revoke(platform.api, admin, organizationId, key.keyId);
    expect(first.revoked_at).toEqual(expect.any(String));
    await expect(verify(key.token)).rejects.toMatchObject(unauthorized);
    const { epoch } = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
    expect(await revoke(platform.api, admin, organizationId, key.keyId)).toEqual(first);
    expect((await platform.client.getControlState({ sinceEpoch: '0' }, anonymous)).epoch).toBe(epoch);
    const entries = await auditLog(platform, admin);
    expect(entries.filter(({ action, subject }) => action === 'api_key.revoked' && subject === key.keyId)).toHaveLength(
      1,
    );
  });

  it('returns 403 for a key of another organization and 404 for one that does not exist', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const { organizationId, admin } = own;
    const revoking = (keyId: string) => revoke(platform.api, admin, organizationId, keyId);
    await expect(revoking(other.adminKey.keyId)).rejects.toMatchObject(forbidden);
    await expect(revoking(platform.operator.keyId)).rejects.toMatchObject(forbidden);
    await expect(revoking(newId('key'))).rejects.toMatchObject(notFound);
    await expect(revoking('key_../../x')).rejects.toMatchObject(notFound);
    expect((await verify(other.adminKey.token)).keyId).toBe(other.adminKey.keyId);
  });

  it('an operator can revoke any key without naming an organization; naming the wrong one returns 403', async () => {
    const [one, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const operator = await asOperator(platform);
    const revoking = (organizationId: string) => revoke(platform.api, operator, organizationId, one.adminKey.keyId);
    await expect(revoking(other.organizationId)).rejects.toMatchObject(forbidden);
    expect((await revoking('')).revoked_at).toEqual(expect.any(String));
  });

  it('exactly one of twenty concurrent requests revokes the key, and all return the same response', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['agents:read']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        revoke(index % 2 === 0 ? platform.api : platform.replicaApi, admin, organizationId, key.keyId),
      ),
    );
    expect(new Set(answers.map((answer) => answer.revoked_at)).size).toBe(1);
    const entries = await auditLog(platform, admin);
    expect(entries.filter(({ subject, action }) => subject === key.keyId && action === 'api_key.revoked')).toHaveLength(
      1,
    );
  });

  it('minting waits for a concurrent revocation of its issuer and then returns 401', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const minting = await platform.db.transaction(async (tx) => {
      const lock = 'select 1 from api_keys where key_id = $1 for update';
      await tx.query({ text: lock, values: [adminKey.keyId] });
      const body = { organization_id: organizationId, name: 'late', scopes: ['agents:read'] };
      const started = requestPublic(platform.replicaApi, routes.mintApiKey, { caller: admin, body });
      started.catch(() => undefined);
      await eventually(async () => {
        const { rowCount } = await platform.db.query({
          text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        });
        return rowCount > 0 ? true : undefined;
      });
      const revocation = 'update api_keys set revoked_at = now(), revoked_epoch = 1 where key_id = $1';
      await tx.query({ text: revocation, values: [adminKey.keyId] });
      return { started };
    });
    await expect(minting.started).rejects.toMatchObject(unauthorized);
  });

  it('an issuer that is revoked while it mints creates no key afterwards', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => mint(platform, admin, organizationId, ['agents:read'])),
      revoke(platform.replicaApi, admin, organizationId, adminKey.keyId),
      ...Array.from({ length: 10 }, () => mint(platform, admin, organizationId, ['agents:read'])),
    ]);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject(unauthorized);
    await expect(mint(platform, admin, organizationId, ['agents:read'])).rejects.toMatchObject(unauthorized);
  });
});

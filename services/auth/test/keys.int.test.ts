import { randomBytes } from 'node:crypto';
import { parseToken, tokenChecksum } from '@parley/contract';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { parsePeppers } from '../src/domain/peppers';
import { verifyToken, verifyTokens } from '../src/usecases/verify-token';
import {
  anonymous,
  as,
  asOperator,
  asToken,
  firstPage,
  idempotency,
  mint,
  organizationWithKey,
  pepper,
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

describe('minting', () => {
  it('5 r3: answers the token once; nothing that is stored or listed holds it', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    expect(parseToken(adminKey.token)).toEqual({ prefix: 'tai_' });
    const { keys } = await platform.client.listKeys({ organizationId, page: firstPage }, admin);
    expect(keys.map(({ keyId }) => keyId)).toEqual([adminKey.keyId]);
    expect(keys[0]).toMatchObject({
      lastFour: adminKey.token.slice(-4),
      name: 'a key',
      createdBy: platform.operator.keyId,
    });
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const ending = await mint(platform, admin, organizationId, ['agents:read'], end);
    const again = await platform.client.listKeys({ organizationId, page: firstPage }, admin);
    expect(again.keys[0]).toMatchObject({ keyId: ending.keyId, createdBy: adminKey.keyId, expiresAt: end });
    expect(JSON.stringify(keys)).not.toContain(adminKey.token);
    const { rows } = await platform.db.query<{ row: string }>({
      text: 'select to_jsonb(k)::text || encode(k.token_hash, $1) as row from api_keys k where key_id = $2',
      values: ['escape', adminKey.keyId],
    });
    expect(rows[0]?.row).not.toContain(adminKey.token.slice(4, 36));
  });

  it('5 r5: a bundle is stored and shown by name', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['all-read', 'sms:send']);
    expect(key.scopes).toEqual(['all-read', 'sms:send']);
    expect((await verify(key.token)).scopes).toEqual(['all-read', 'sms:send']);
  });

  it('5 r6: explicit scopes are cut to what the minter holds, and the answer shows what was stored', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const limited = await mint(platform, admin, organizationId, ['api_keys:write', 'agents:read']);
    const context = await asToken(platform, limited.token);
    expect((await mint(platform, context, organizationId, ['agents:read', 'wallet:write'])).scopes).toEqual([
      'agents:read',
    ]);
    await expect(mint(platform, context, organizationId, ['wallet:write'])).rejects.toMatchObject({
      ...forbidden,
      message: 'missing required scope: wallet:write',
    });
    await expect(mint(platform, context, organizationId, ['all-read'])).rejects.toMatchObject(forbidden);
  });

  it('3: an unknown scope is 400', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = mint(platform, admin, organizationId, ['agents:read', 'agents:fly']);
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('5 r6: judges the minter by its stored scopes, not by what the request claims', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const limited = await mint(platform, admin, organizationId, ['api_keys:write']);
    const { caller } = await asToken(platform, limited.token);
    if (caller === undefined) throw new Error('verified');
    const boasting = as({ ...caller, scopes: ['api_keys:write', 'wallet:write'] });
    await expect(mint(platform, boasting, organizationId, ['wallet:write'])).rejects.toMatchObject(forbidden);
  });

  it('5 r12: a customer mints in its own organization alone, an operator in every one that exists', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const operator = await asOperator(platform);
    await expect(mint(platform, own.admin, other.organizationId, ['all'])).rejects.toMatchObject(forbidden);
    expect((await mint(platform, operator, other.organizationId, ['agents:read'])).scopes).toEqual(['agents:read']);
    await expect(mint(platform, operator, newId('org'), ['all'])).rejects.toMatchObject(notFound);
    await expect(mint(platform, operator, 'nonsense', ['all'])).rejects.toMatchObject(notFound);
  });

  it('2: an operator makes worker keys; a customer cannot pass one on', async () => {
    const { organizationId } = await organizationWithKey(platform);
    const operator = await asOperator(platform);
    const worker = await mint(platform, operator, organizationId, [
      'worker_jobs:claim',
      'worker_jobs:heartbeat',
      'api_keys:write',
    ]);
    expect(await verify(worker.token)).toMatchObject({ kind: 'customer', organizationId });
    const passedOn = mint(platform, await asToken(platform, worker.token), organizationId, ['worker_jobs:claim']);
    await expect(passedOn).rejects.toMatchObject(forbidden);
  });

  it.each<[string, string[], string]>([
    ['no scopes', [], ''],
    ['an expiry in the past', ['all'], '2001-01-01T00:00:00Z'],
    ['an expiry that is no time', ['all'], 'tomorrow'],
  ])('400: %s', async (_, scopes, expiresAt) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = mint(platform, admin, organizationId, scopes, expiresAt);
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('needs a caller', async () => {
    const { organizationId } = await organizationWithKey(platform);
    await expect(mint(platform, anonymous, organizationId, ['all'])).rejects.toMatchObject(unauthorized);
  });
});

describe('minting with an Idempotency-Key', () => {
  const request = (organizationId: string, key: string, name = 'once') => ({
    organizationId,
    name,
    scopes: ['agents:read'],
    expiresAt: '',
    idempotency: idempotency('create-api-key', { name }, key),
  });

  it('1: a replay answers the same key less its token; another body is a conflict', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const first = await platform.client.mintKey(request(organizationId, 'k'), admin);
    const second = await platform.client.mintKey(request(organizationId, 'k'), admin);
    expect(first).toMatchObject({ replayed: false, token: expect.stringMatching(/^tai_/) as string });
    expect(second).toEqual({ key: first.key, token: '', replayed: true });
    const other = platform.client.mintKey(request(organizationId, 'k', 'twice'), admin);
    await expect(other).rejects.toMatchObject({ code: 'ConflictError', status: 409 });
  });

  it('1: of 50 at once on two replicas one mints, and only it sees the token', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? platform.client : platform.replica).mintKey(request(organizationId, 'k'), admin),
      ),
    );
    expect(new Set(answers.map(({ key }) => key?.keyId)).size).toBe(1);
    expect(answers.filter(({ token }) => token !== '')).toHaveLength(1);
    const { keys } = await platform.client.listKeys({ organizationId, page: firstPage }, admin);
    expect(keys).toHaveLength(2);
  });

  it('1: is looked up before any other rule: a replay answers although the minter was revoked since', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const first = await platform.client.mintKey(request(organizationId, 'k'), admin);
    await platform.client.revokeKey({ organizationId, keyId: adminKey.keyId }, admin);
    expect((await platform.client.mintKey(request(organizationId, 'k'), admin)).key).toEqual(first.key);
    await expect(platform.client.mintKey(request(organizationId, 'l'), admin)).rejects.toMatchObject(unauthorized);
  });
});

describe('verification', () => {
  it('answers principal and epoch of a live token', async () => {
    const { organizationId, adminKey } = await organizationWithKey(platform);
    const { epoch } = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
    expect(await verify(adminKey.token)).toEqual({
      keyId: adminKey.keyId,
      organizationId,
      kind: 'customer',
      scopes: ['all'],
      expiresAtMs: '0',
      epoch,
    });
    expect(platform.touched).toContain(adminKey.keyId);
  });

  it('5: an operator holds all and every operator scope and belongs to no organization', async () => {
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
    ['a token of the other prefix', () => `tgw_${platform.operator.token.slice(4)}`],
  ])('401: %s', async (_, token) => {
    await expect(verify(token())).rejects.toMatchObject(unauthorized);
  });

  it('3: a malformed token costs no look-up', async () => {
    const db = { ...platform.db, query: () => Promise.reject(new Error('no look-up was expected')) };
    const { peppers } = platform.dependencies;
    await expect(verifyToken({ db, peppers }, 'tai_short')).rejects.toMatchObject(unauthorized);
  });

  it('3: many tokens are judged by one read, each as it would be alone, in their order', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const revoked = await mint(platform, admin, organizationId, ['agents:read']);
    await platform.client.revokeKey({ organizationId, keyId: revoked.keyId }, admin);
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
  ])('%i tokens at once', async (count, refusal) => {
    const asked = platform.client.verifyTokens({ tokens: Array.from({ length: count }, () => 'x') }, anonymous);
    if (refusal === undefined) expect((await asked).verifications).toHaveLength(count);
    else await expect(asked).rejects.toMatchObject(refusal);
  });

  it('401 once the key has expired, by the database clock', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const key = await mint(platform, admin, organizationId, ['agents:read'], expiresAt);
    expect((await verify(key.token)).expiresAtMs).toBe(String(Date.parse(expiresAt)));
    const expire = `update api_keys set expires_at = now() where key_id = $1`;
    await platform.db.query({ text: expire, values: [key.keyId] });
    await expect(verify(key.token)).rejects.toMatchObject(unauthorized);
  });

  it('still knows tokens of an older pepper, not those of a pepper that is gone', async () => {
    const { adminKey } = await organizationWithKey(platform);
    const newer = randomBytes(32).toString('base64');
    const both = { db: platform.db, peppers: parsePeppers(`1:${pepper},2:${newer}`) };
    expect((await verifyToken(both, adminKey.token)).keyId).toBe(adminKey.keyId);
    const gone = { db: platform.db, peppers: parsePeppers(`2:${newer}`) };
    await expect(verifyToken(gone, adminKey.token)).rejects.toMatchObject(unauthorized);
  });
});

describe('revocation', () => {
  it('5 r14: a revoked key is 401 at once; revoking it again answers the same and is not a new act', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['agents:read']);
    const first = await platform.client.revokeKey({ organizationId, keyId: key.keyId }, admin);
    expect(first.revokedAt).not.toBe('');
    await expect(verify(key.token)).rejects.toMatchObject(unauthorized);
    const { epoch } = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
    expect(await platform.client.revokeKey({ organizationId, keyId: key.keyId }, admin)).toEqual(first);
    expect((await platform.client.getControlState({ sinceEpoch: '0' }, anonymous)).epoch).toBe(epoch);
    const { entries } = await platform.client.listAuditLog({ organizationId, page: firstPage }, admin);
    expect(entries.filter(({ action, subject }) => action === 'api_key.revoked' && subject === key.keyId)).toHaveLength(
      1,
    );
  });

  it('1: a foreign key is 403, an absent one 404', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const { organizationId, admin } = own;
    const revoke = (keyId: string) => platform.client.revokeKey({ organizationId, keyId }, admin);
    await expect(revoke(other.adminKey.keyId)).rejects.toMatchObject(forbidden);
    await expect(revoke(platform.operator.keyId)).rejects.toMatchObject(forbidden);
    await expect(revoke(newId('key'))).rejects.toMatchObject(notFound);
    await expect(revoke('key_../../x')).rejects.toMatchObject(notFound);
    expect((await verify(other.adminKey.token)).keyId).toBe(other.adminKey.keyId);
  });

  it('an operator who names no organization revokes any key; one who names another one does not', async () => {
    const [one, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const operator = await asOperator(platform);
    const revoke = (organizationId: string) =>
      platform.client.revokeKey({ organizationId, keyId: one.adminKey.keyId }, operator);
    await expect(revoke(other.organizationId)).rejects.toMatchObject(forbidden);
    expect((await revoke('')).revokedAt).not.toBe('');
  });

  it('two at once revoke once and answer alike', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['agents:read']);
    const request = { organizationId, keyId: key.keyId };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? platform.client : platform.replica).revokeKey(request, admin),
      ),
    );
    expect(new Set(answers.map(({ revokedAt }) => revokedAt)).size).toBe(1);
    const { entries } = await platform.client.listAuditLog({ organizationId, page: firstPage }, admin);
    expect(entries.filter(({ subject, action }) => subject === key.keyId && action === 'api_key.revoked')).toHaveLength(
      1,
    );
  });

  it('a mint waits for the revocation of its minter that is in flight, and is 401 after it', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const minting = await platform.db.transaction(async (tx) => {
      const lock = 'select 1 from api_keys where key_id = $1 for update';
      await tx.query({ text: lock, values: [adminKey.keyId] });
      const started = platform.replica.mintKey(
        { organizationId, name: 'late', scopes: ['agents:read'], expiresAt: '', idempotency: undefined },
        admin,
      );
      started.catch(() => undefined);
      await eventually(async () => {
        const { rowCount } = await platform.db.query({
          text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        });
        return rowCount > 0 ? true : undefined;
      });
      const revoke = 'update api_keys set revoked_at = now(), revoked_epoch = 1 where key_id = $1';
      await tx.query({ text: revoke, values: [adminKey.keyId] });
      return { started };
    });
    await expect(minting.started).rejects.toMatchObject(unauthorized);
  });

  it('whatever a minter managed to mint before its revocation was minted by a live key', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => mint(platform, admin, organizationId, ['agents:read'])),
      platform.replica.revokeKey({ organizationId, keyId: adminKey.keyId }, admin),
      ...Array.from({ length: 10 }, () => mint(platform, admin, organizationId, ['agents:read'])),
    ]);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject(unauthorized);
    await expect(mint(platform, admin, organizationId, ['agents:read'])).rejects.toMatchObject(unauthorized);
  });
});

describe('the list of keys', () => {
  it('1: pages from newest to oldest, of one organization alone', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const minted = [adminKey.keyId];
    for (let index = 0; index < 4; index += 1) {
      minted.unshift((await mint(platform, admin, organizationId, ['agents:read'])).keyId);
    }
    const listed: string[] = [];
    let cursor = '';
    do {
      const page = await platform.client.listKeys({ organizationId, page: { limit: 2, cursor } }, admin);
      expect(page.keys.length).toBeLessThanOrEqual(2);
      listed.push(...page.keys.map(({ keyId }) => keyId));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(listed).toEqual(minted);
  });

  it.each([
    ['limit -1', { limit: -1, cursor: '' }],
    ['limit 101', { limit: 101, cursor: '' }],
    ['a cursor of somebody else', { limit: 2, cursor: 'bm9uc2Vuc2U' }],
  ])('400: %s', async (_, page) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = platform.client.listKeys({ organizationId, page }, admin);
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it.each([1, 100])('takes limit %i', async (limit) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { keys } = await platform.client.listKeys({ organizationId, page: { limit, cursor: '' } }, admin);
    expect(keys).toHaveLength(1);
  });

  it('5 r12: 403 for another organization', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const listing = platform.client.listKeys({ organizationId: other.organizationId, page: firstPage }, own.admin);
    await expect(listing).rejects.toMatchObject(forbidden);
  });
});

import { bundleCatalogue, parseToken, routes } from '@parley/contract';
import { encodeCursor, newId, type Caller } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import {
  anonymous,
  asOperator,
  asToken,
  listedKeys,
  mint,
  organizationWithKey,
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

describe('minting an API key', () => {
  it('returns the token once; neither the database nor the list contains it', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    expect(parseToken(adminKey.token)).toEqual({ prefix: 'tai_' });
    const keys = await listedKeys(platform, admin);
    expect(keys.map((key) => key.key_id)).toEqual([adminKey.keyId]);
    expect(keys[0]).toMatchObject({
      last_four: adminKey.token.slice(-4),
      name: 'a key',
      organization_id: organizationId,
      created_by: platform.operator.keyId,
      expires_at: null,
      revoked_at: null,
    });
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const ending = await mint(platform, admin, organizationId, ['agents:read'], end);
    const again = await listedKeys(platform, admin);
    expect(again[0]).toMatchObject({ key_id: ending.keyId, created_by: adminKey.keyId, expires_at: end });
    expect(JSON.stringify(again)).not.toContain(adminKey.token);
    expect(JSON.stringify(again)).not.toContain('"token"');
    const { rows } = await platform.db.query<{ row: string }>({
      text: 'select to_jsonb(k)::text || encode(k.token_hash, $1) as row from api_keys k where key_id = $2',
      values: ['escape', adminKey.keyId],
    });
    expect(rows[0]?.row).not.toContain(adminKey.token.slice(4, 36));
  });

  it('stores allowed_cidrs; a restricted key cannot create a key with a wider range', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const minted = async (caller: Caller, allowed_cidrs?: readonly string[] | null) => {
      const body = { organization_id: organizationId, name: 'k', scopes: ['all'], allowed_cidrs };
      const answer = await requestPublic(platform.api, routes.mintApiKey, { caller, organizationId, body });
      return { token: answer.body.token ?? '', shown: answer.body.allowed_cidrs };
    };
    const blocks = ['192.0.2.0/24', '2001:db8::/32'];
    expect((await minted(admin)).shown).toBeNull();
    expect((await minted(admin, null)).shown).toBeNull();
    const bound = await minted(admin, blocks);
    expect(bound.shown).toEqual(blocks);
    expect((await verify(bound.token)).allowedCidrs).toEqual(blocks);
    const caller = await asToken(platform, bound.token);
    const [newest] = await listedKeys(platform, admin);
    expect(newest?.allowed_cidrs).toEqual(blocks);
    expect((await minted(caller)).shown).toEqual(blocks);
    expect((await minted(caller, ['192.0.2.128/25'])).shown).toEqual(['192.0.2.128/25']);
    for (const wider of [['0.0.0.0/0'], ['192.0.2.0/24', '198.51.100.0/24'], ['::/0']])
      await expect(minted(caller, wider)).rejects.toMatchObject(forbidden);
    for (const wrong of [[], ['192.0.2.0'], ['192.0.2.0/33'], ['x'], Array.from({ length: 21 }, () => '192.0.2.0/24')])
      await expect(minted(admin, wrong)).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
    expect(
      (
        await minted(
          admin,
          Array.from({ length: 20 }, (_, n) => `192.0.2.${n}/32`),
        )
      ).shown,
    ).toHaveLength(20);
    const gateway = await requestPublic(platform.api, routes.mintGatewayToken, {
      caller,
      organizationId,
      body: { organization_id: organizationId, deployment_name: 'g' },
    });
    expect((await verify(gateway.body.token ?? '')).allowedCidrs).toEqual(blocks);
  });

  it('stores requests_per_minute; a limited key cannot create a key with a higher limit', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const minted = async (caller: Caller, requests_per_minute?: number | null) => {
      const body = { organization_id: organizationId, name: 'k', scopes: ['all'], requests_per_minute };
      const answer = await requestPublic(platform.api, routes.mintApiKey, { caller, organizationId, body });
      return { token: answer.body.token ?? '', shown: answer.body.requests_per_minute };
    };
    expect((await minted(admin)).shown).toBeNull();
    expect((await minted(admin, null)).shown).toBeNull();
    expect((await minted(admin, 1)).shown).toBe(1);
    expect((await minted(admin, 100_000)).shown).toBe(100_000);
    for (const wrong of [0, 100_001, -1, 1.5, '1'])
      await expect(minted(admin, wrong as number)).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
    const limited = await minted(admin, 60);
    expect((await verify(limited.token)).requestsPerMinute).toBe(60);
    const caller = await asToken(platform, limited.token);
    expect((await minted(caller)).shown).toBe(60);
    expect((await minted(caller, 59)).shown).toBe(59);
    expect((await minted(caller, 61)).shown).toBe(60);
    const session = await requestPublic(platform.api, routes.createSession, { caller, organizationId });
    expect(session.body.requests_per_minute).toBe(60);
  });

  it('a key shares the limits of the keys that minted it, and a session those of its key', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const minted = async (caller: Caller, requests_per_minute?: number) => {
      const body = { organization_id: organizationId, name: 'k', scopes: ['all'], requests_per_minute };
      const answer = await requestPublic(platform.api, routes.mintApiKey, { caller, organizationId, body });
      const token = answer.body.token ?? '';
      return { keyId: answer.body.key_id, token, caller: await asToken(platform, token) };
    };
    const session = async (caller: Caller) => {
      const { token = '' } = (await requestPublic(platform.api, routes.createSession, { caller, organizationId })).body;
      return { token, caller: await asToken(platform, token) };
    };
    const shared = async ({ token }: { token: string }) => (await verify(token)).sharedLimits;
    const first = await minted(admin, 100);
    const inherited = await minted(first.caller);
    const lower = await minted(inherited.caller, 50);
    const ofFirst = { keyId: first.keyId, requestsPerMinute: 100 };
    const ofLower = { keyId: lower.keyId, requestsPerMinute: 50 };
    expect(await shared(await minted(admin))).toEqual([]);
    expect(await shared(first)).toEqual([]);
    expect(await shared(inherited)).toEqual([ofFirst]);
    expect(await shared(lower)).toEqual([ofFirst]);
    expect(await shared(await minted(lower.caller, 20))).toEqual([ofFirst, ofLower]);
    const ofSession = await session(lower.caller);
    expect(await shared(ofSession)).toEqual([ofFirst]);
    expect(await shared(await minted(ofSession.caller))).toEqual([ofFirst, ofLower]);
    const gateway = await requestPublic(platform.api, routes.mintGatewayToken, {
      caller: lower.caller,
      body: { organization_id: organizationId, deployment_name: 'g' },
    });
    expect(await shared({ token: gateway.body.token ?? '' })).toEqual([ofFirst, ofLower]);
  });

  it('the root of a key is the first of the keys of its organization that minted it; a session has the root of its key', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const rootOf = async ({ token = '' }: { token?: string }) => (await verify(token)).rootKeyId;
    const session = async (caller: Caller) =>
      (await requestPublic(platform.api, routes.createSession, { caller, organizationId })).body;
    const gatewayToken = async (caller: Caller) => {
      const body = { organization_id: organizationId, deployment_name: 'g' };
      return (await requestPublic(platform.api, routes.mintGatewayToken, { caller, body })).body;
    };
    // Minted by the operator, whose keys are of no organization.
    expect(await rootOf(adminKey)).toBe(adminKey.keyId);
    const ofAdmin = await session(admin);
    const minted = await mint(platform, await asToken(platform, ofAdmin.token ?? ''), organizationId, ['all']);
    const caller = await asToken(platform, minted.token);
    for (const one of [ofAdmin, minted, await session(caller), await gatewayToken(caller)])
      expect(await rootOf(one)).toBe(adminKey.keyId);
    expect(await rootOf(await mint(platform, await asOperator(platform), organizationId, ['all']))).not.toBe(
      adminKey.keyId,
    );
  });

  it('a key cannot share more than eight limits', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const mintLower = async (caller: Caller, requests_per_minute: number) => {
      const body = { organization_id: organizationId, name: 'k', scopes: ['all'], requests_per_minute };
      const answer = await requestPublic(platform.api, routes.mintApiKey, { caller, organizationId, body });
      return asToken(platform, answer.body.token ?? '');
    };
    let last = admin;
    for (let limit = 20; limit > 11; limit -= 1) last = await mintLower(last, limit);
    await expect(mintLower(last, 1)).rejects.toMatchObject(forbidden);
  });

  it('a scope bundle is stored and returned by its name', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const key = await mint(platform, admin, organizationId, ['all-read', 'sms:send']);
    expect(key.scopes).toEqual(['all-read', 'sms:send']);
    expect((await verify(key.token)).scopes).toEqual(['all-read', 'sms:send']);
  });

  it('explicit scopes are reduced to those of the issuer, and the response has the stored scopes', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const limited = await mint(platform, admin, organizationId, ['api_keys:write', 'agents:read']);
    const caller = await asToken(platform, limited.token);
    expect((await mint(platform, caller, organizationId, ['agents:read', 'wallet:write'])).scopes).toEqual([
      'agents:read',
    ]);
    await expect(mint(platform, caller, organizationId, ['wallet:write'])).rejects.toMatchObject({
      ...forbidden,
      message: 'missing required scope: wallet:write',
    });
    await expect(mint(platform, caller, organizationId, ['all-read'])).rejects.toMatchObject(forbidden);
  });

  it('an unknown scope returns 400', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = mint(platform, admin, organizationId, ['agents:read', 'agents:fly']);
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('uses the stored scopes of the issuer, not the scopes in the request context', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const limited = await mint(platform, admin, organizationId, ['api_keys:write']);
    const caller = await asToken(platform, limited.token);
    const boasting = { ...caller, scopes: ['api_keys:write', 'wallet:write'] };
    await expect(mint(platform, boasting, organizationId, ['wallet:write'])).rejects.toMatchObject(forbidden);
  });

  it('a customer can mint only in its own organization, an operator in any existing one', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const operator = await asOperator(platform);
    await expect(mint(platform, own.admin, other.organizationId, ['all'])).rejects.toMatchObject(forbidden);
    expect((await mint(platform, operator, other.organizationId, ['agents:read'])).scopes).toEqual(['agents:read']);
    await expect(mint(platform, operator, newId('org'), ['all'])).rejects.toMatchObject(notFound);
    await expect(mint(platform, operator, 'nonsense', ['all'])).rejects.toMatchObject(notFound);
  });

  it('an operator can grant worker scopes; a customer cannot pass them on', async () => {
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

  it.each<[string, string[], string | undefined]>([
    ['no scopes', [], undefined],
    ['expires_at in the past', ['all'], '2001-01-01T00:00:00Z'],
    ['an invalid expires_at', ['all'], 'tomorrow'],
  ])('400: %s', async (_, scopes, expiresAt) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const refused = mint(platform, admin, organizationId, scopes, expiresAt);
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('returns 401 without a caller', async () => {
    const { organizationId } = await organizationWithKey(platform);
    await expect(mint(platform, undefined, organizationId, ['all'])).rejects.toMatchObject(unauthorized);
  });

  it('returns 403 if the body names another organization than the request', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const body = { organization_id: other.organizationId, name: 'k', scopes: ['agents:read'] };
    const refused = requestPublic(platform.api, routes.mintApiKey, { caller: own.admin, body });
    await expect(refused).rejects.toMatchObject(forbidden);
  });

  it('returns 400 if an operator names no organization', async () => {
    const caller = await asOperator(platform);
    const refused = requestPublic(platform.api, routes.mintApiKey, { caller, body: { name: 'k', scopes: ['all'] } });
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it('GET /v1/api-keys/scopes returns the scope catalogue of the contract', async () => {
    const { admin } = await organizationWithKey(platform);
    const { body } = await requestPublic(platform.api, routes.listScopes, { caller: admin });
    expect(body).toEqual(JSON.parse(JSON.stringify(bundleCatalogue())));
  });
});

describe('minting with an Idempotency-Key', () => {
  const once = (caller: Caller, key: string, name = 'once', api = platform.api) =>
    requestPublic(api, routes.mintApiKey, {
      caller,
      key,
      body: { organization_id: caller.organizationId, name, scopes: ['agents:read'] },
    });

  it('a repeated request returns the same key without its token; a different body returns 409', async () => {
    const { admin } = await organizationWithKey(platform);
    const first = await once(admin, 'k');
    const second = await once(admin, 'k');
    const { token, ...record } = first.body;
    expect([first.replayed, token]).toEqual([false, expect.stringMatching(/^tai_/)]);
    expect([second.replayed, second.body]).toEqual([true, record]);
    expect((await listedKeys(platform, admin))[0]).toEqual(record);
    await expect(once(admin, 'k', 'twice')).rejects.toMatchObject({ code: 'ConflictError', status: 409 });
  });

  it('exactly one of 50 concurrent requests on two replicas creates the key, and only its response has the token', async () => {
    const { admin } = await organizationWithKey(platform);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        once(admin, 'k', 'once', index % 2 === 0 ? platform.api : platform.replicaApi),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.key_id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.token !== undefined)).toHaveLength(1);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(49);
    expect(await listedKeys(platform, admin)).toHaveLength(2);
  });

  it('a repeated request returns the key although its issuer has been revoked since', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const { token: _once, ...record } = (await once(admin, 'k')).body;
    await revoke(platform.api, admin, organizationId, adminKey.keyId);
    expect((await once(admin, 'k')).body).toEqual(record);
    await expect(once(admin, 'l')).rejects.toMatchObject(unauthorized);
  });

  it('is checked before the fields: a used Idempotency-Key with an invalid body returns 409', async () => {
    const { admin } = await organizationWithKey(platform);
    await once(admin, 'k');
    const refused = (key: string) =>
      requestPublic(platform.api, routes.mintApiKey, { caller: admin, key, body: { name: 5 } });
    await expect(refused('k')).rejects.toMatchObject({ code: 'ConflictError', status: 409 });
    await expect(refused('l')).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
    expect((await once(admin, 'l')).replayed).toBe(false);
  });
});

describe('the list of keys', () => {
  it('is paged from newest to oldest and contains only keys of the organization', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const minted = [adminKey.keyId];
    for (let index = 0; index < 4; index += 1) {
      minted.unshift((await mint(platform, admin, organizationId, ['agents:read'])).keyId);
    }
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = cursor === null ? { limit: 2 } : { limit: 2, cursor };
      const { body } = await requestPublic(platform.api, routes.listApiKeys, { caller: admin, query });
      expect(body.data.length).toBeLessThanOrEqual(2);
      listed.push(...body.data.map((key) => key.key_id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(listed).toEqual(minted);
  });

  it.each([
    ['limit -1', { limit: -1 }],
    ['limit 101', { limit: 101 }],
    ['a cursor that the API did not issue', { cursor: 'bm9uc2Vuc2U' }],
    ['a cursor of another list', { cursor: encodeCursor(['call_x']) }],
  ])('400: %s', async (_, query: Record<string, string | number>) => {
    const { admin } = await organizationWithKey(platform);
    const refused = requestPublic(platform.api, routes.listApiKeys, { caller: admin, query });
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });

  it.each([1, 100])('accepts limit %i', async (limit) => {
    const { admin } = await organizationWithKey(platform);
    const { body } = await requestPublic(platform.api, routes.listApiKeys, { caller: admin, query: { limit } });
    expect([body.data.length, body.next_cursor]).toEqual([1, null]);
  });

  it('returns 403 for another organization', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    await expect(listedKeys(platform, own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
  });

  it('returns 400 if an operator names no organization', async () => {
    const refused = listedKeys(platform, await asOperator(platform));
    await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
  });
});

import { randomUUID } from 'node:crypto';
import { parseToken, routes } from '@parley/contract';
import { newId, type Caller, type PublicClient } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import { mintPlatformKey } from '../src/keys/mint-platform-key';
import {
  anonymous,
  as,
  asOperator,
  asToken,
  auditLog,
  listedKeys,
  mint,
  newOrganization,
  organizationWithKey,
  revoke,
  startPlatform,
  type Platform,
} from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const unauthorized = { code: 'UnauthorizedError', status: 401 };
const forbidden = { code: 'ForbiddenError', status: 403 };
const notFound = { code: 'NotFoundError', status: 404 };
const badRequest = { code: 'BadRequestError', status: 400 };

const gatewayToken = async (caller: Caller, organizationId: string, expiresAt?: string, key = '') =>
  requestPublic(platform.api, routes.mintGatewayToken, {
    caller,
    organizationId,
    key,
    body: { organization_id: organizationId, deployment_name: 'frankfurt-1', expires_at: expiresAt },
  });

const minted = async (caller: Caller, organizationId: string, expiresAt?: string) => {
  const { token = '', ...record } = (await gatewayToken(caller, organizationId, expiresAt)).body;
  return { record, token, id: record.gateway_token_id };
};

const revokeGatewayToken = async (api: PublicClient, caller: Caller, gatewayTokenId: string) =>
  (await requestPublic(api, routes.revokeGatewayToken, { caller, params: { gateway_token_id: gatewayTokenId } })).body;

const listedTokens = async (caller: Caller, organizationId = caller.organizationId) =>
  (await requestPublic(platform.api, routes.listGatewayTokens, { caller, organizationId })).body.data;

const credential = async (caller: Caller, organizationId: string, secret = 'xi-secret', kind = 'tts', key = '') =>
  requestPublic(platform.api, routes.createComponentCredential, {
    caller,
    organizationId,
    key,
    body: { organization_id: organizationId, kind, provider: 'elevenlabs', name: 'ours', secret },
  });

const lastAct = async (organizationId: string) =>
  (await auditLog(platform, await asOperator(platform), organizationId))[0];

describe('gateway tokens', () => {
  it('have the prefix tgw_, the organization of their row, and exactly the scopes of a media gateway', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token, id, record } = await minted(admin, organizationId);
    expect(parseToken(token)).toEqual({ prefix: 'tgw_' });
    expect(record).toEqual({
      gateway_token_id: id,
      organization_id: organizationId,
      deployment_name: 'frankfurt-1',
      last_four: token.slice(-4),
      created_by: admin.keyId,
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(await platform.client.verifyToken({ token }, anonymous)).toMatchObject({
      keyId: id,
      organizationId,
      kind: 'gateway',
      scopes: ['calls:authorize', 'gateways:report', 'artifacts:upload', 'number-rules:read'],
      deployment: 'frankfurt-1',
    });
    expect(await lastAct(organizationId)).toMatchObject({
      ...{ action: 'gateway_token.minted', subject: id },
      detail: { deployment_name: 'frankfurt-1', expires_at: null },
    });
  });

  it.each([
    [['numbers:write', 'calls:read'], 'agents:read'],
    [['numbers:write', 'agents:read'], 'calls:read'],
    [['numbers:write', 'agents:read', 'calls:read'], undefined],
  ])('creation by a key with %j: missing scope %s', async (scopes, missing) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token } = await mint(platform, admin, organizationId, scopes);
    const made = gatewayToken(await asToken(platform, token), organizationId);
    if (missing === undefined) expect((await made).body.deployment_name).toBe('frankfurt-1');
    else await expect(made).rejects.toMatchObject({ ...forbidden, message: `missing required scope: ${missing}` });
    expect(await listedTokens(admin)).toHaveLength(missing === undefined ? 1 : 0);
  });

  it('the same characters with the prefix of API keys return 401', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token } = await minted(admin, organizationId);
    const posing = { token: token.replace('tgw_', 'tai_') };
    await expect(platform.client.verifyToken(posing, anonymous)).rejects.toMatchObject(unauthorized);
  });

  it('are listed separately from API keys, without secrets, and only for their organization', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const other = await organizationWithKey(platform);
    await minted(other.admin, other.organizationId);
    const first = await minted(admin, organizationId);
    const second = await minted(admin, organizationId);
    expect(await listedTokens(admin)).toEqual([second.record, first.record]);
    expect((await listedKeys(platform, admin)).map((key) => key.key_id)).toEqual([adminKey.keyId]);
    await expect(listedTokens(other.admin, organizationId)).rejects.toMatchObject(forbidden);
  });

  it('are read by id as they are listed; those of others, API keys and unknown ids return 404', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const { id, record } = await minted(admin, organizationId);
    const read = async (caller: Caller, gateway_token_id: string) =>
      (await requestPublic(platform.api, routes.getGatewayToken, { caller, params: { gateway_token_id } })).body;
    expect(await read(admin, id)).toEqual(record);
    const { admin: other } = await organizationWithKey(platform);
    for (const [caller, asked] of [
      [other, id],
      [admin, adminKey.keyId],
      [admin, newId('key')],
      [admin, 'key_1'],
    ] as const)
      await expect(read(caller, asked)).rejects.toMatchObject({ code: 'NotFoundError', status: 404 });
  });

  it('revocation is permanent and returns an epoch that every replica polls', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token, id, record } = await minted(admin, organizationId);
    const before = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
    const revoked = await revokeGatewayToken(platform.api, admin, id);
    expect(revoked).toEqual({ ...record, revoked_at: expect.any(String) });
    expect(await revokeGatewayToken(platform.replicaApi, admin, id)).toEqual(revoked);
    await expect(platform.client.verifyToken({ token }, anonymous)).rejects.toMatchObject(unauthorized);
    const after = await platform.client.getControlState({ sinceEpoch: before.epoch }, anonymous);
    expect(after.revokedKeyIds).toEqual([id]);
    expect(await lastAct(organizationId)).toMatchObject({ action: 'gateway_token.revoked', subject: id });
  });

  it('revoking one of another organization or a wrong kind of key returns 404 and revokes nothing', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const theirs = await minted(other.admin, other.organizationId);
    const refusals = [theirs.id, newId('key'), 'nonsense', own.adminKey.keyId].map(async (gatewayTokenId) =>
      revokeGatewayToken(platform.api, own.admin, gatewayTokenId).catch((error: unknown) => error),
    );
    for (const refusal of await Promise.all(refusals)) {
      expect(refusal).toMatchObject({ ...notFound, message: 'gateway token not found' });
    }
    const asKey = revoke(platform.api, other.admin, other.organizationId, theirs.id);
    await expect(asKey).rejects.toMatchObject(notFound);
    await platform.client.verifyToken({ token: theirs.token }, anonymous);
  });

  it('can be created only in the caller’s organization and by a key that is not revoked', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    await expect(gatewayToken(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
    const operator = await asOperator(platform);
    expect((await minted(operator, own.organizationId)).record.organization_id).toBe(own.organizationId);
    await expect(gatewayToken(operator, newId('org'))).rejects.toMatchObject(notFound);
    await revoke(platform.api, own.admin, own.organizationId, own.adminKey.keyId);
    await expect(gatewayToken(own.admin, own.organizationId)).rejects.toMatchObject(unauthorized);
  });

  it('a repeated Idempotency-Key returns the record without the token', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const first = await gatewayToken(admin, organizationId, undefined, 'k');
    const again = await gatewayToken(admin, organizationId, undefined, 'k');
    const { token, ...record } = first.body;
    expect([first.replayed, token]).toEqual([false, expect.stringMatching(/^tgw_/)]);
    expect([again.replayed, again.body]).toEqual([true, record]);
  });
});

describe('expires_at of a new key', () => {
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

  it.each([
    ['later than that of the issuer is reduced to it', 2, 3, 2],
    ['if omitted, is that of the issuer', 2, undefined, 2],
    ['earlier than that of the issuer is kept', 2, 1, 1],
    ['is kept if the issuer does not expire', undefined, 3, 3],
    ['is null if neither has one', undefined, undefined, undefined],
  ])('%s', async (_, ofIssuer, asked, expected) => {
    const { organizationId } = await organizationWithKey(platform);
    const times = new Map([1, 2, 3].map((hours) => [hours, inHours(hours)]));
    const at = (hours: number | undefined) => (hours === undefined ? undefined : times.get(hours));
    const issuer = await mint(platform, await asOperator(platform), organizationId, ['all'], at(ofIssuer));
    const caller = await asToken(platform, issuer.token);
    const end = at(expected) ?? null;
    await mint(platform, caller, organizationId, ['agents:read'], at(asked));
    expect((await listedKeys(platform, caller))[0]).toMatchObject({ created_by: issuer.keyId, expires_at: end });
    expect((await minted(caller, organizationId, at(asked))).record.expires_at).toBe(end);
  });

  it('a time in the past returns 400', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    await expect(gatewayToken(admin, organizationId, '2001-01-01T00:00:00Z')).rejects.toMatchObject(badRequest);
    expect(await listedTokens(admin)).toEqual([]);
  });
});

describe('platform credentials', () => {
  it.each([
    ['hosted', ['worker_jobs:claim', 'worker_jobs:heartbeat'], 'hosted'],
    ['hosted-simulation', ['worker_jobs:claim', 'worker_jobs:heartbeat'], 'hosted_simulation'],
    ['hosted-gateway', ['calls:authorize', 'gateways:report'], 'hosted'],
  ] as const)('%s has no organization and exactly the scopes %j', async (kind, scopes, known) => {
    const { token } = await mintPlatformKey(platform.dependencies, 'platform', kind);
    const principal = await platform.client.verifyToken({ token }, anonymous);
    expect(principal).toMatchObject({ organizationId: '', kind: known, scopes });
    const organizationId = await newOrganization(platform);
    await expect(mint(platform, await asToken(platform, token), organizationId, [...scopes])).rejects.toMatchObject(
      forbidden,
    );
  });
});

describe('component credentials', () => {
  const listed = (caller: Caller, organizationId = caller.organizationId) =>
    requestPublic(platform.api, routes.listComponentCredentials, { caller, organizationId });

  it('a repeated Idempotency-Key returns the record; no response contains the secret', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const first = await credential(admin, organizationId, 'canary', 'tts', 'k');
    expect(await credential(admin, organizationId, 'canary', 'tts', 'k')).toEqual({ ...first, replayed: true });
    expect(first.text).not.toContain('canary');
    expect((await listed(admin)).body.data).toHaveLength(1);
  });

  it('replacing the secret and deleting each write an audit entry; for another organization they return 404', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { admin: stranger } = await organizationWithKey(platform);
    const { body: created } = await credential(admin, organizationId, 'first');
    const params = { component_credential_id: created.component_credential_id };
    const ask = (caller: Caller, route: 'replaceComponentCredential' | 'deleteComponentCredential', body?: object) =>
      requestPublic(platform.api, routes[route], { caller, params, body }) as Promise<{ body: unknown }>;
    for (const route of ['replaceComponentCredential', 'deleteComponentCredential'] as const)
      await expect(ask(stranger, route, { secret: 'x' })).rejects.toMatchObject(notFound);
    await expect(ask(admin, 'replaceComponentCredential', {})).rejects.toMatchObject(badRequest);
    const replaced = await ask(admin, 'replaceComponentCredential', { ...created, secret: 'second' });
    expect(replaced.body).toEqual({ ...created, replaced_at: expect.any(String) });
    const sealed = async () =>
      (
        await platform.db.query<{ secret: Buffer }>({
          text: 'select secret from component_credentials where organization_id = $1',
          values: [organizationId],
        })
      ).rows.map(({ secret }) => secret);
    const context = {
      organizationId,
      purpose: 'component-credential',
      recordId: created.component_credential_id,
    };
    const [stored] = await sealed();
    expect(stored && platform.dependencies.vault.open(stored, context).toString()).toBe('second');
    expect(await lastAct(organizationId)).toMatchObject({ action: 'component_credential.secret_replaced' });
    expect((await ask(admin, 'deleteComponentCredential')).body).toEqual(replaced.body);
    expect(await sealed()).toEqual([]);
    expect(await lastAct(organizationId)).toMatchObject({ action: 'component_credential.deleted' });
    await expect(ask(admin, 'deleteComponentCredential')).rejects.toMatchObject(notFound);
  });

  it('are stored encrypted under a key whose id is stored, and no response contains the secret', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const secret = `canary-${randomUUID()}`;
    const { body: created } = await credential(admin, organizationId, secret);
    expect(created).toEqual({
      component_credential_id: expect.stringMatching(/^cred_/),
      organization_id: organizationId,
      kind: 'tts',
      provider: 'elevenlabs',
      name: 'ours',
      base_url: null,
      created_by: admin.keyId,
      created_at: expect.any(String),
      standby: false,
      replaced_at: null,
      tested_at: null,
      test_ok: null,
      test_detail: null,
    });
    expect((await listed(admin)).body.data).toEqual([created]);
    const { rows } = await platform.db.query<{ secret: Buffer; vault_key_id: string; row: string }>({
      text: 'select secret, vault_key_id, to_jsonb(c)::text as row from component_credentials c where organization_id = $1',
      values: [organizationId],
    });
    const stored = rows[0];
    if (stored === undefined) throw new Error('stored');
    expect(stored.vault_key_id).toBe('k1');
    expect(stored.secret.includes(secret)).toBe(false);
    expect(stored.row).not.toContain(Buffer.from(secret).toString('hex'));
    const context = {
      organizationId,
      purpose: 'component-credential',
      recordId: created.component_credential_id,
    };
    expect(platform.dependencies.vault.open(stored.secret, context).toString()).toBe(secret);
    const act = await lastAct(organizationId);
    expect(act).toMatchObject({ action: 'component_credential.created', subject: created.component_credential_id });
    expect(JSON.stringify(act)).not.toContain(secret);
  });

  it.each([
    ['an unknown kind', { kind: 'sst' }],
    ['no provider', { provider: '' }],
    ['no secret', { secret: '' }],
    ['a secret of 8193 characters', { secret: 'x'.repeat(8193) }],
  ])('400 without repeating the secret: %s', async (_, wrong) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const good = { organization_id: organizationId, kind: 'llm', provider: 'openai', name: 'n', secret: 'sk-canary' };
    const request = { caller: admin, body: { ...good, ...wrong } };
    const refusal = requestPublic(platform.api, routes.createComponentCredential, request);
    await expect(refusal).rejects.toMatchObject(badRequest);
    await expect(refusal).rejects.toMatchObject({ message: expect.not.stringMatching(/canary|xxx/) });
  });

  it('findComponentCredentials returns only those of the requested organization', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const [mine, theirs] = [
      await credential(own.admin, own.organizationId, 's', 'stt'),
      await credential(other.admin, other.organizationId),
    ];
    const ids = [mine, theirs].map(({ body }) => body.component_credential_id);
    const request = {
      organizationId: own.organizationId,
      componentCredentialIds: [...ids, newId('cred'), 'nonsense', '', 'x\0y'],
      standby: true,
    };
    const found = await platform.client.findComponentCredentials(request, as(own.admin));
    expect(found.componentCredentials).toEqual([
      {
        componentCredentialId: mine.body.component_credential_id,
        organizationId: own.organizationId,
        kind: 'stt',
        provider: 'elevenlabs',
        name: 'ours',
        createdBy: own.admin.keyId,
        createdAt: mine.body.created_at,
        tested: 'never',
        ownAddress: false,
      },
    ]);
    expect(found.standby).toEqual([]);
    await expect(platform.client.findComponentCredentials(request, as(other.admin))).rejects.toMatchObject(forbidden);
    await expect(platform.client.findComponentCredentials(request, { requestId: 'test' })).rejects.toMatchObject(
      unauthorized,
    );
  });

  it('can be created and listed only in the caller’s organization', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    await expect(credential(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
    await expect(credential(await asOperator(platform), newId('org'))).rejects.toMatchObject(notFound);
    await expect(listed(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
  });
});

import { randomUUID } from 'node:crypto';
import { parseToken } from '@parley/contract';
import { newId, type OutgoingContext } from '@parley/runtime';
import { mintPlatformKey } from '../src/usecases/mint-platform-key';
import {
  anonymous,
  asOperator,
  asToken,
  firstPage,
  idempotency,
  mint,
  newOrganization,
  organizationWithKey,
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

const gatewayToken = async (context: OutgoingContext, organizationId: string, expiresAt = '') => {
  const request = { organizationId, deploymentName: 'frankfurt-1', expiresAt, idempotency: undefined };
  const { gatewayToken: record, token } = await platform.client.mintGatewayToken(request, context);
  if (record === undefined) throw new Error('minted');
  return { ...record, token };
};

const credential = async (context: OutgoingContext, organizationId: string, secret = 'xi-secret', kind = 'tts') => {
  const request = { organizationId, kind, provider: 'elevenlabs', name: 'ours', secret, idempotency: undefined };
  return (await platform.client.createComponentCredential(request, context)).componentCredential;
};

const lastAct = async (organizationId: string) => {
  const { entries } = await platform.client.listAuditLog(
    { organizationId, page: firstPage },
    await asOperator(platform),
  );
  return entries[0];
};

describe('gateway tokens', () => {
  it('5 r9: carry the prefix tgw_, the organization of their row, and exactly the powers of a media gateway', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token, gatewayTokenId, ...record } = await gatewayToken(admin, organizationId);
    expect(parseToken(token)).toEqual({ prefix: 'tgw_' });
    expect(record).toMatchObject({ organizationId, deploymentName: 'frankfurt-1', lastFour: token.slice(-4) });
    expect(await platform.client.verifyToken({ token }, anonymous)).toMatchObject({
      keyId: gatewayTokenId,
      organizationId,
      kind: 'gateway',
      scopes: ['calls:authorize', 'gateways:report', 'artifacts:upload', 'number-rules:read'],
    });
    expect(await lastAct(organizationId)).toMatchObject({ action: 'gateway_token.minted', subject: gatewayTokenId });
  });

  it('5 r9: the same characters with the other prefix are no credential', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token } = await gatewayToken(admin, organizationId);
    const posing = { token: token.replace('tgw_', 'tai_') };
    await expect(platform.client.verifyToken(posing, anonymous)).rejects.toMatchObject(unauthorized);
  });

  it('are listed apart from API keys, without a secret, of one organization alone', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const other = await organizationWithKey(platform);
    await gatewayToken(other.admin, other.organizationId);
    const first = await gatewayToken(admin, organizationId);
    const second = await gatewayToken(admin, organizationId);
    const listed = await platform.client.listGatewayTokens({ organizationId, page: firstPage }, admin);
    expect(listed.gatewayTokens.map((one) => one.gatewayTokenId)).toEqual([
      second.gatewayTokenId,
      first.gatewayTokenId,
    ]);
    expect(JSON.stringify(listed)).not.toContain(first.token);
    const { keys } = await platform.client.listKeys({ organizationId, page: firstPage }, admin);
    expect(keys.map(({ keyId }) => keyId)).toEqual([adminKey.keyId]);
    const foreign = platform.client.listGatewayTokens({ organizationId, page: firstPage }, other.admin);
    await expect(foreign).rejects.toMatchObject(forbidden);
  });

  it('5 r14: are revoked for good, with the epoch that every replica polls', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const { token, gatewayTokenId } = await gatewayToken(admin, organizationId);
    const before = await platform.client.getControlState({ sinceEpoch: '0' }, anonymous);
    const revoked = await platform.client.revokeGatewayToken({ organizationId, gatewayTokenId }, admin);
    expect(revoked.revokedAt).not.toBe('');
    expect(await platform.replica.revokeGatewayToken({ organizationId, gatewayTokenId }, admin)).toEqual(revoked);
    await expect(platform.client.verifyToken({ token }, anonymous)).rejects.toMatchObject(unauthorized);
    const after = await platform.client.getControlState({ sinceEpoch: before.epoch }, anonymous);
    expect(after.revokedKeyIds).toEqual([gatewayTokenId]);
    expect(await lastAct(organizationId)).toMatchObject({ action: 'gateway_token.revoked', subject: gatewayTokenId });
  });

  it('1: a foreign one is 404 as one that never was, and stays; neither list of revocations reaches the other kind', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const theirs = await gatewayToken(other.admin, other.organizationId);
    const refusals = [theirs.gatewayTokenId, newId('key'), 'nonsense', own.adminKey.keyId].map(
      async (gatewayTokenId) => {
        const request = { organizationId: own.organizationId, gatewayTokenId };
        return platform.client.revokeGatewayToken(request, own.admin).catch((error: unknown) => error);
      },
    );
    for (const refusal of await Promise.all(refusals)) {
      expect(refusal).toMatchObject({ ...notFound, message: 'gateway token not found' });
    }
    const asKey = { organizationId: other.organizationId, keyId: theirs.gatewayTokenId };
    await expect(platform.client.revokeKey(asKey, other.admin)).rejects.toMatchObject(notFound);
    await platform.client.verifyToken({ token: theirs.token }, anonymous);
  });

  it('are minted in the own organization alone, by a key that is live', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    await expect(gatewayToken(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
    const operator = await asOperator(platform);
    expect((await gatewayToken(operator, own.organizationId)).organizationId).toBe(own.organizationId);
    await expect(gatewayToken(operator, newId('org'))).rejects.toMatchObject(notFound);
    await platform.client.revokeKey({ organizationId: own.organizationId, keyId: own.adminKey.keyId }, own.admin);
    await expect(gatewayToken(own.admin, own.organizationId)).rejects.toMatchObject(unauthorized);
  });

  it('1: an Idempotency-Key brings the record back without the token', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const body = { organizationId, deploymentName: 'a', expiresAt: '' };
    const request = { ...body, idempotency: idempotency('mint-gateway-token', body, randomUUID()) };
    const first = await platform.client.mintGatewayToken(request, admin);
    const again = await platform.client.mintGatewayToken(request, admin);
    expect(again).toEqual({ ...first, token: '', replayed: true });
  });
});

describe('the end of a key', () => {
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

  it.each([
    ['later than its minter is brought forward', 2, 3, 2],
    ['absent is its minter’s', 2, undefined, 2],
    ['earlier than its minter stays', 2, 1, 1],
    ['of a minter without an end stays', undefined, 3, 3],
    ['stays absent where neither has one', undefined, undefined, undefined],
  ])('5 r6: %s', async (_, ofMinter, asked, expected) => {
    const { organizationId } = await organizationWithKey(platform);
    const times = new Map([1, 2, 3].map((hours) => [hours, inHours(hours)]));
    const at = (hours: number | undefined): string => (hours === undefined ? '' : (times.get(hours) ?? ''));
    const minter = await mint(platform, await asOperator(platform), organizationId, ['all'], at(ofMinter));
    const context = await asToken(platform, minter.token);
    const request = {
      organizationId,
      name: 'k',
      scopes: ['agents:read'],
      expiresAt: at(asked),
      idempotency: undefined,
    };
    const { key } = await platform.client.mintKey(request, context);
    expect(key?.expiresAt).toBe(at(expected));
    expect((await gatewayToken(context, organizationId, at(asked))).expiresAt).toBe(at(expected));
  });

  it('400 where it is past already', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    await expect(gatewayToken(admin, organizationId, '2001-01-01T00:00:00Z')).rejects.toMatchObject(badRequest);
    const { gatewayTokens } = await platform.client.listGatewayTokens({ organizationId, page: firstPage }, admin);
    expect(gatewayTokens).toEqual([]);
  });
});

describe('platform credentials', () => {
  it.each([
    ['hosted', ['worker_jobs:claim', 'worker_jobs:heartbeat'], 'hosted'],
    ['hosted-simulation', ['worker_jobs:claim', 'worker_jobs:heartbeat'], 'hosted_simulation'],
    ['hosted-gateway', ['calls:authorize', 'gateways:report'], 'hosted'],
  ] as const)('5 r11: %s belongs to no organization and holds %j alone', async (kind, scopes, known) => {
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
  it('3: are stored sealed under a key with its id, and no read shows the secret', async () => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const secret = `canary-${randomUUID()}`;
    const created = await credential(admin, organizationId, secret);
    expect(created).toMatchObject({ organizationId, kind: 'tts', provider: 'elevenlabs', name: 'ours' });
    expect(created?.componentCredentialId).toMatch(/^cred_/);
    const listed = await platform.client.listComponentCredentials({ organizationId, page: firstPage }, admin);
    expect(listed.componentCredentials).toEqual([created]);
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
      recordId: created?.componentCredentialId ?? '',
    };
    expect(platform.dependencies.vault.open(stored.secret, context).toString()).toBe(secret);
    const act = await lastAct(organizationId);
    expect(act).toMatchObject({ action: 'component_credential.created', subject: created?.componentCredentialId });
    expect(JSON.stringify(act)).not.toContain(secret);
  });

  it.each([
    ['a kind that is none', { kind: 'sst' }],
    ['no provider', { provider: '' }],
    ['no secret', { secret: '' }],
    ['a secret of 8193 characters', { secret: 'x'.repeat(8193) }],
  ])('400: %s, and the answer does not repeat the secret', async (_, wrong) => {
    const { organizationId, admin } = await organizationWithKey(platform);
    const good = {
      organizationId,
      kind: 'llm',
      provider: 'openai',
      name: 'n',
      secret: 'sk-canary',
      idempotency: undefined,
    };
    const refusal = platform.client.createComponentCredential({ ...good, ...wrong }, admin);
    await expect(refusal).rejects.toMatchObject(badRequest);
    await expect(refusal).rejects.toMatchObject({ message: expect.not.stringMatching(/canary|xxx/) });
  });

  it('are found for who checks a reference by the organization that has them, and by no other', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    const [mine, theirs] = [
      await credential(own.admin, own.organizationId, 's', 'stt'),
      await credential(other.admin, other.organizationId),
    ];
    const ids = [mine, theirs].map((one) => one?.componentCredentialId ?? '');
    const request = {
      organizationId: own.organizationId,
      componentCredentialIds: [...ids, newId('cred'), 'nonsense', '', 'x\0y'],
    };
    const found = await platform.client.findComponentCredentials(request, own.admin);
    expect(found.componentCredentials).toEqual([mine]);
    await expect(platform.client.findComponentCredentials(request, other.admin)).rejects.toMatchObject(forbidden);
  });

  it('5 r12: are stored and listed in the own organization alone', async () => {
    const [own, other] = [await organizationWithKey(platform), await organizationWithKey(platform)];
    await expect(credential(own.admin, other.organizationId)).rejects.toMatchObject(forbidden);
    await expect(credential(await asOperator(platform), newId('org'))).rejects.toMatchObject(notFound);
    const listing = { organizationId: other.organizationId, page: firstPage };
    await expect(platform.client.listComponentCredentials(listing, own.admin)).rejects.toMatchObject(forbidden);
  });
});

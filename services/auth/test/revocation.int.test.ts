import { routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import { requestPublic } from '@parley/testing';
import {
  asOperator,
  asToken,
  auditLog,
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

const forbidden = { code: 'ForbiddenError', status: 403 };

async function liveKeys(admin: Awaited<ReturnType<typeof asToken>>, organizationId = admin.organizationId) {
  const keys = await listedKeys(platform, admin, organizationId);
  return keys
    .filter((key) => key.revoked_at === null)
    .map((key) => key.key_id)
    .sort();
}

describe('revocation', () => {
  it('returns 403 for a key with more scopes than the caller, unless it is the caller’s own key', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const weak = await mint(platform, admin, organizationId, ['api_keys:write', 'calls:read']);
    const equal = await mint(platform, admin, organizationId, ['calls:read']);
    const more = await mint(platform, admin, organizationId, ['calls:read', 'calls:write']);
    const caller = await asToken(platform, weak.token);
    for (const { keyId } of [adminKey, more]) {
      await expect(revoke(platform.api, caller, organizationId, keyId)).rejects.toMatchObject(forbidden);
    }
    expect((await revoke(platform.api, caller, organizationId, equal.keyId)).revoked_at).not.toBeNull();
    expect((await revoke(platform.api, caller, organizationId, weak.keyId)).revoked_at).not.toBeNull();
    expect(await liveKeys(admin)).toEqual([adminKey.keyId, more.keyId].sort());
  });

  it('a customer can revoke a worker key that an operator created, and an operator can revoke any key', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const operator = await asOperator(platform);
    const worker = await mint(platform, operator, organizationId, ['worker_jobs:claim', 'worker_jobs:heartbeat']);
    expect((await revoke(platform.api, admin, organizationId, worker.keyId)).revoked_at).not.toBeNull();
    expect((await revoke(platform.api, operator, organizationId, adminKey.keyId)).revoked_at).not.toBeNull();
  });

  describe('revocation with the cascade parameter', () => {
    const cascading = async (
      caller: Awaited<ReturnType<typeof asToken>>,
      organizationId: string,
      keyId: string,
      cascade?: 'true' | 'false',
    ) =>
      (
        await requestPublic(platform.api, routes.revokeApiKey, {
          caller,
          organizationId,
          params: { key_id: keyId },
          query: cascade === undefined ? {} : { cascade },
        })
      ).body;

    /** A parent key that created two keys, one of which created a grandchild; and an unrelated key. */
    async function family() {
      const { organizationId, admin, adminKey } = await organizationWithKey(platform);
      const parent = await mint(platform, admin, organizationId, ['api_keys:write', 'calls:read']);
      const asParent = await asToken(platform, parent.token);
      const child = await mint(platform, asParent, organizationId, ['api_keys:write']);
      const other = await mint(platform, asParent, organizationId, ['calls:read']);
      const asChild = await asToken(platform, child.token);
      const grandchild = await mint(platform, asChild, organizationId, ['api_keys:write']);
      const aside = await mint(platform, admin, organizationId, ['calls:read']);
      return { organizationId, admin, adminKey, parent, child, other, grandchild, aside };
    }

    it.each([undefined, 'false'] as const)(
      'cascade=%s revokes only the key itself, not the keys that it created',
      async (cascade) => {
        const { organizationId, admin, adminKey, parent, child, other, grandchild, aside } = await family();
        await cascading(admin, organizationId, parent.keyId, cascade);
        const left = [adminKey, child, other, grandchild, aside].map(({ keyId }) => keyId);
        expect(await liveKeys(admin)).toEqual(left.sort());
      },
    );

    it('cascade=true also revokes all keys created from it, each with an audit entry, even if it is already revoked', async () => {
      const { organizationId, admin, adminKey, parent, child, other, grandchild, aside } = await family();
      await cascading(admin, organizationId, parent.keyId);
      expect((await cascading(admin, organizationId, parent.keyId, 'true')).key_id).toBe(parent.keyId);
      expect(await liveKeys(admin)).toEqual([adminKey.keyId, aside.keyId].sort());
      const revoked = (await auditLog(platform, admin)).filter(({ action }) => action === 'api_key.revoked');
      const gone = [parent, child, other, grandchild].map(({ keyId }) => keyId);
      expect(revoked.map(({ subject }) => subject).sort()).toEqual(gone.sort());
    });

    it('does not affect other organizations', async () => {
      const operator = await asOperator(platform);
      const [one, two] = [await organizationWithKey(platform), await organizationWithKey(platform)];
      await cascading(operator, one.organizationId, one.adminKey.keyId, 'true');
      expect(await liveKeys(operator, two.organizationId)).toEqual([two.adminKey.keyId]);
    });

    it.each(['1', 'yes', ''])('cascade=%p returns 400', async (value) => {
      const { organizationId, admin, adminKey } = await organizationWithKey(platform);
      const refused = cascading(admin, organizationId, adminKey.keyId, value as 'true');
      await expect(refused).rejects.toMatchObject({ code: 'BadRequestError', status: 400 });
    });
  });
});

describe('keys of operators', () => {
  const listed = async (caller: Awaited<ReturnType<typeof asToken>>) =>
    (await requestPublic(platform.api, routes.listOperatorKeys, { caller, query: {} })).body.data;

  it('are listed for operators, without secrets and without keys of customers', async () => {
    const { adminKey } = await organizationWithKey(platform);
    const keys = await listed(await asOperator(platform));
    expect(keys.map((key) => key.key_id)).toContain(platform.operator.keyId);
    expect(keys.every((key) => key.organization_id === null && !('token' in key))).toBe(true);
    expect(keys.map((key) => key.key_id)).not.toContain(adminKey.keyId);
  });

  const read = async (caller: Awaited<ReturnType<typeof asToken>>, operator_key_id: string) =>
    (await requestPublic(platform.api, routes.getOperatorKey, { caller, params: { operator_key_id } })).body;

  it('are read by id as they are listed; keys of customers and unknown ids return 404', async () => {
    const { adminKey } = await organizationWithKey(platform);
    const operator = await asOperator(platform);
    const { keyId } = platform.operator;
    const key = (await listed(operator)).find((one) => one.key_id === keyId);
    const { last_used_at: _at, last_used_address: _address, ...lasting } = key ?? {};
    expect(await read(operator, keyId)).toMatchObject({ ...lasting, key_id: keyId, organization_id: null });
    for (const id of [adminKey.keyId, newId('key'), 'key_1'])
      await expect(read(operator, id)).rejects.toMatchObject({ code: 'NotFoundError', status: 404 });
  });

  it('listing and reading them returns 403 to customers', async () => {
    const { admin } = await organizationWithKey(platform);
    await expect(listed(admin)).rejects.toMatchObject(forbidden);
    await expect(read(admin, platform.operator.keyId)).rejects.toMatchObject(forbidden);
  });
});

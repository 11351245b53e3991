import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { keyPruner } from '../src/keys/last-used';
import { asToken, listedKeys, mint, organizationWithKey, startPlatform, type Platform } from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

describe('deletion of old API keys', () => {
  it('deletes keys ninety days after they ended, but no valid key and none between two that are kept', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const minted = async (): Promise<{ keyId: string; token: string }> =>
      mint(platform, admin, organizationId, ['api_keys:write', 'calls:read']);
    const [revoked, expired, recent, grandparent, live] = [
      await minted(),
      await minted(),
      await minted(),
      await minted(),
      await minted(),
    ];
    const asGrandparent = await asToken(platform, grandparent.token);
    const parent = await mint(platform, asGrandparent, organizationId, ['api_keys:write', 'calls:read']);
    const child = await mint(platform, await asToken(platform, parent.token), organizationId, ['calls:read']);
    const end = (keyId: string, column: 'revoked_at' | 'expires_at', days: number) =>
      platform.db.query({
        text: `update api_keys set ${column} = now() - make_interval(days => $2)
                 ${column === 'revoked_at' ? ', revoked_epoch = 1' : ''} where key_id = $1`,
        values: [keyId, days],
      });
    await end(revoked.keyId, 'revoked_at', 91);
    await end(expired.keyId, 'expires_at', 91);
    await end(recent.keyId, 'revoked_at', 89);
    await end(parent.keyId, 'revoked_at', 91);
    await end(grandparent.keyId, 'revoked_at', 91);
    const pruner = keyPruner({ db: platform.db, log: createLogger({ service: 'test', level: 'silent' }) });
    await pruner.start();
    try {
      await eventually(async () => ((await listedKeys(platform, admin)).length === 6 ? true : undefined));
    } finally {
      await pruner.stop();
    }
    const left = [adminKey, recent, grandparent, parent, live, child].map(({ keyId }) => keyId);
    expect((await listedKeys(platform, admin)).map((key) => key.key_id).sort()).toEqual(left.sort());
    await expect(asToken(platform, revoked.token)).rejects.toMatchObject({ status: 401 });
  });
});

import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { lastUsed } from '../src/keys/last-used';
import { anonymous, listedKeys, mint, organizationWithKey, startPlatform, type Platform } from './platform';

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const log = createLogger({ service: 'test', level: 'silent' });

describe('last_used_at', () => {
  it('is written for many keys in one statement, and on shutdown', async () => {
    const { organizationId, admin, adminKey } = await organizationWithKey(platform);
    const other = await mint(platform, admin, organizationId, ['agents:read']);
    const idle = await mint(platform, admin, organizationId, ['agents:read']);
    const statements: string[] = [];
    const db = {
      ...platform.db,
      query: <R>(statement: { name?: string; text: string; values?: readonly unknown[] }) => {
        statements.push(statement.name ?? '');
        return platform.db.query<R>(statement);
      },
    };
    const used = lastUsed({ db, log, everyMs: 3_600_000 });
    await used.start();
    for (let request = 0; request < 1000; request += 1) {
      used.touch(adminKey.keyId, `192.0.2.${request % 10}`);
      used.touch(other.keyId);
    }
    await used.stop();
    expect(statements).toEqual(['write-last-used']);
    const keys = await listedKeys(platform, admin);
    const usedIds = keys.filter((key) => key.last_used_at !== null).map((key) => key.key_id);
    expect(new Set(usedIds)).toEqual(new Set([adminKey.keyId, other.keyId]));
    expect(idle.keyId).toBe(keys[0]?.key_id);
    const addresses = keys.map((key) => [key.key_id, key.last_used_address]);
    expect(addresses).toEqual(
      expect.arrayContaining([
        [adminKey.keyId, '192.0.2.9'],
        [other.keyId, null],
        [idle.keyId, null],
      ]),
    );
  });

  it('is updated by each single or batched verification, and when another service reports a key’s use', async () => {
    const { adminKey } = await organizationWithKey(platform);
    const before = platform.touched.length;
    await platform.client.verifyToken({ token: adminKey.token }, anonymous);
    await platform.client.verifyTokens({ tokens: [adminKey.token, 'tai_x'] }, anonymous);
    await platform.client.recordKeyUsage({ keyIds: [adminKey.keyId], addresses: ['192.0.2.1'] }, anonymous);
    // Uses the previous name of the RPC, like a gateway of the previous release.
    await platform.client.noteKeysUsed({ keyIds: [adminKey.keyId], addresses: ['192.0.2.2'] }, anonymous);
    expect(platform.touched.slice(before)).toEqual([
      adminKey.keyId,
      adminKey.keyId,
      `${adminKey.keyId} 192.0.2.1`,
      `${adminKey.keyId} 192.0.2.2`,
    ]);
  });

  it('is written later if the database was unavailable', async () => {
    const { admin, adminKey } = await organizationWithKey(platform);
    let [away, refused] = [true, 0];
    const db = {
      ...platform.db,
      query: <R>(statement: { text: string; values?: readonly unknown[] }) => {
        if (!away) return platform.db.query<R>(statement);
        refused += 1;
        return Promise.reject(new Error('away'));
      },
    };
    const used = lastUsed({ db, log, everyMs: 1 });
    used.touch(adminKey.keyId);
    await used.start();
    await eventually(() => (refused > 0 ? true : undefined));
    expect((await listedKeys(platform, admin)).map((key) => key.last_used_at)).toEqual([null]);
    away = false;
    await eventually(async () => {
      const [key] = await listedKeys(platform, admin);
      return typeof key?.last_used_at === 'string' ? true : undefined;
    });
    await used.stop();
  });
});

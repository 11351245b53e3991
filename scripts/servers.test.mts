import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from './processes/free-ports.mts';
import { StartError } from './processes/program.mts';
import { Supervisor } from './processes/supervisor.mts';
import { startServers, type ServerAddresses } from './servers.mts';

const databaseUrl = 'postgresql://someone@127.0.0.1:1/none';

async function started(given: Partial<ServerAddresses>): Promise<ServerAddresses> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-servers-'));
  const supervisor = new Supervisor({ onNotice: () => undefined });
  try {
    return await startServers(supervisor, { directory, password: 'x', durable: false, given, say: () => undefined });
  } finally {
    await supervisor.stop();
    rmSync(directory, { recursive: true });
  }
}

await test('an address that is set but empty is none: a private server is started', async () => {
  const addresses = await started({ databaseUrl, natsUrl: '', redisUrl: '' });
  assert.equal(addresses.databaseUrl, databaseUrl);
  assert.match(addresses.natsUrl, /^nats:\/\/administrator:[0-9a-f]{48}@127\.0\.0\.1:\d+$/);
  assert.match(addresses.redisUrl, /^redis:\/\/:[0-9a-f]{48}@127\.0\.0\.1:\d+$/);
});

await test('a NATS that is given and does not answer is reported before anything waits for it', async () => {
  const natsUrl = `nats://127.0.0.1:${await freePort()}`;
  await assert.rejects(started({ databaseUrl, natsUrl, redisUrl: 'redis://127.0.0.1:1' }), StartError);
});

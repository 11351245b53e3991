import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Servers {
  readonly child: ChildProcess;
  /** The settings of a platform that uses these servers. */
  readonly env: { readonly DATABASE_URL: string; readonly NATS_URL: string; readonly REDIS_URL: string };
}

/** PostgreSQL, NATS and Redis without a platform: for several platforms, or for processes with other environments than theirs. */
export async function startServers(directory: string): Promise<Servers> {
  mkdirSync(directory, { mode: 0o755 });
  const child = spawn(process.execPath, ['scripts/start-servers.mts', '--directory', directory], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const found = JSON.parse(line) as { databaseUrl: string; natsUrl: string; redisUrl: string };
    return { child, env: { DATABASE_URL: found.databaseUrl, NATS_URL: found.natsUrl, REDIS_URL: found.redisUrl } };
  }
  throw new Error('the servers did not start');
}

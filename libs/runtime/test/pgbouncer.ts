import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, freePort } from '@parley/testing';
import pg from 'pg';

/** A PgBouncer process in transaction mode in front of the server of a URL. */
export interface PgBouncer {
  /** The server's URL with the host and port of the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/bin'];
const env = { ...process.env, PATH: [process.env['PATH'], ...folders].join(path.delimiter) };

export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env, stdio: 'ignore' }).status === 0;

export interface PgBouncerOptions {
  /** The number of server sessions that all clients share. */
  readonly poolSize?: number;
  /** A certificate and its key in PEM. If set, clients must use TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** The host name that clients use. */
  readonly host?: string;
}

/** Starts PgBouncer. Only the user of the URL can log in, with the password in the URL. */
export async function pgBouncer(
  serverUrl: string,
  { poolSize = 2, tls, host = '127.0.0.1' }: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-pgbouncer-'));
  // If PgBouncer is started as root, it switches to another user, who must be able to read its files.
  chmodSync(folder, 0o755);
  const file = (name: string, text: string): string => {
    const full = path.join(folder, name);
    writeFileSync(full, text, { mode: 0o644 });
    return full;
  };
  const server = new URL(serverUrl);
  const port = await freePort();
  const users = file('users', `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 200,
    ...(tls !== undefined && {
      client_tls_sslmode: 'require',
      client_tls_cert_file: file('tls.crt', tls.certificate),
      client_tls_key_file: file('tls.key', tls.key),
    }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = `[databases]\n* = host=${server.hostname} port=${server.port || '5432'}\n`;
  const ini = file('pgbouncer.ini', `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
  const root = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...root, ini], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = new URL(serverUrl);
  url.host = `${host}:${port}`;
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`);
    return said.includes('process up') ? true : undefined;
  });
  return {
    url: url.href,
    close: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The number of sessions of a user on a server. */
export async function sessionsOf(adminUrl: string, user: string): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::integer as n from pg_stat_activity where usename = $1 and datname = current_database()',
      [user],
    );
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../scripts/processes/free-ports.mts';
import { findBinary, findPostgres } from '../../scripts/servers/binaries.mts';
import { databaseUser } from '../../scripts/servers/database-user.mts';

const patienceMs = 120_000;

/** A PostgreSQL server of the scenario with full durability: fsync is on. Loopback only, without passwords. */
export class PostgresServer {
  private child: ChildProcess | undefined;

  readonly data: string;
  readonly port: number;

  private constructor(data: string, port: number) {
    this.data = data;
    this.port = port;
  }

  get url(): string {
    return `postgresql://parley@127.0.0.1:${this.port}/postgres`;
  }

  static async create(data: string): Promise<PostgresServer> {
    ownedFolder(data);
    tool('initdb', ['-D', data, '-U', 'parley', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions']);
    return new PostgresServer(data, await freePort());
  }

  /** A server for a copy that `pg_basebackup` has made of another one. */
  static async of(data: string): Promise<PostgresServer> {
    return new PostgresServer(data, await freePort());
  }

  /** Appends lines to postgresql.conf, where the last value of a setting applies. */
  configure(lines: readonly string[]): void {
    appendFileSync(path.join(this.data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      max_connections: 200,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(path.join(folder(), 'postgres'), ['-D', this.data, ...args], { ...asUser(), stdio: 'ignore' });
    this.child = child;
    for (const until = Date.now() + patienceMs; ; await pause(100)) {
      if (child.exitCode !== null) throw new Error(`postgres in ${this.data} ended with ${child.exitCode}`);
      if (await this.query('select 1').catch(() => undefined)) return;
      if (Date.now() > until) throw new Error(`postgres in ${this.data} does not answer`);
    }
  }

  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    // If the server is killed, the connection reports an error.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Kills the postmaster; its children then exit by themselves. Resolves when it has ended. */
  async kill(signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL'): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** Copies the server's files while it runs, with the write-ahead log that belongs to them. */
  backUp(data: string): void {
    ownedFolder(data);
    tool('pg_basebackup', ['-d', this.url, '-D', data, '--checkpoint=fast', '--wal-method=stream']);
  }
}

function folder(): string {
  const [found] = findPostgres();
  if (found === undefined) throw new Error('PostgreSQL is not installed');
  return found.folder;
}

function asUser(): { uid?: number; gid?: number } {
  const user = databaseUser();
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}

/** Creates a folder owned by the user as which PostgreSQL runs. */
export function ownedFolder(name: string): void {
  mkdirSync(name, { recursive: true, mode: 0o700 });
  const { uid, gid } = asUser();
  if (uid !== undefined && gid !== undefined) chownSync(name, uid, gid);
}

/** Client programs may be missing in the folder of the server programs; then those in PATH are used. */
function tool(name: string, args: readonly string[]): void {
  const own = path.join(folder(), name);
  execFileSync(existsSync(own) ? own : (findBinary(name) ?? name), args, {
    ...asUser(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

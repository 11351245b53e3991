import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../scripts/processes/free-ports.mts';
import { findBinary } from '../../scripts/servers/binaries.mts';
import { databaseUser } from '../../scripts/servers/database-user.mts';
import { servicesWithDatabase } from '../../scripts/platform/services.mts';
import { ownedFolder } from './server.mts';

const administrator = 'pgbouncer';
const patienceMs = 20_000;

/** A client connection as `SHOW CLIENTS` lists it. */
interface Client {
  readonly user: string;
}

/** PgBouncer in transaction mode in front of a server without passwords. */
export class PgBouncer {
  private readonly child: ChildProcess;
  private readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  /** @param sessions of the server at most for each role */
  static async start(folder: string, serverPort: number, sessions: number): Promise<PgBouncer> {
    ownedFolder(folder);
    const port = await freePort();
    const roles = servicesWithDatabase.map((name) => `parley_${name.replace('-', '_')}`);
    const users = path.join(folder, 'users');
    writeFileSync(users, [...roles, administrator].map((name) => `"${name}" ""\n`).join(''), { mode: 0o644 });
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: users,
      pool_mode: 'transaction',
      default_pool_size: sessions,
      max_client_conn: 400,
      stats_users: administrator,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    const file = path.join(folder, 'pgbouncer.ini');
    const databases = `[databases]\n* = host=127.0.0.1 port=${serverPort}\n`;
    writeFileSync(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`, { mode: 0o644 });
    const command = findBinary('pgbouncer');
    if (command === undefined) throw new Error('PgBouncer is not installed');
    // Without a user in its options it does not run as root.
    const { uid, gid } = databaseUser() ?? {};
    const child = spawn(command, [file], { uid, gid, cwd: '/', stdio: 'ignore' });
    const bouncer = new PgBouncer(child, port);
    for (const until = Date.now() + patienceMs; ; await pause(100)) {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
      if (await bouncer.clients().catch(() => undefined)) return bouncer;
      if (Date.now() > until) throw new Error('pgbouncer does not answer');
    }
  }

  /** The URL for services, which put their own roles into it. */
  get url(): string {
    return `postgresql://127.0.0.1:${this.port}/postgres`;
  }

  /** The number of connections that each role has open to the pooler. */
  async clients(): Promise<ReadonlyMap<string, number>> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: administrator, database: administrator });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Client>('show clients');
      const counts = new Map<string, number>();
      for (const { user } of rows) if (user !== administrator) counts.set(user, (counts.get(user) ?? 0) + 1);
      return counts;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGINT');
    await gone;
  }
}

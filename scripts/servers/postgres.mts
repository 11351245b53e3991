/** A private PostgreSQL: initialized on first use, with a separate port, loopback only, password required. */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { StartError, type Program } from '../processes/program.mts';
import { findPostgres, type PostgresBinaries } from './binaries.mts';
import type { DatabaseUser } from './database-user.mts';
import { fetchPostgres } from './fetch-postgres.mts';

export interface PostgresOptions {
  directory: string;
  port: number;
  password: string;
  user: DatabaseUser | undefined;
  /** False: a crash of the machine may lose all data. For tests. */
  durable: boolean;
  say: (text: string) => void;
}

const administrator = 'parley';
const cleanEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

export async function postgresProgram(options: PostgresOptions): Promise<{ program: Program; url: string }> {
  const { directory, port, user, durable, password } = options;
  const data = path.join(directory, 'postgres');
  const binaries = await chooseBinaries(data, options);
  if (!existsSync(path.join(data, 'PG_VERSION'))) initialise(binaries, data, options);
  const url = `postgresql://${administrator}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const program: Program = {
    name: 'postgres',
    command: path.join(binaries.folder, 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    cwd: directory,
    env: cleanEnvironment,
    user: user && { uid: user.uid, gid: user.gid },
    mark: data,
    stopSignal: 'SIGINT',
    stopMs: 8_000,
    ready: () => answers(url),
  };
  return { program, url };
}

async function chooseBinaries(data: string, options: PostgresOptions): Promise<PostgresBinaries> {
  const versionFile = path.join(data, 'PG_VERSION');
  const made = existsSync(versionFile) ? Number(readFileSync(versionFile, 'utf8')) : undefined;
  const installed = findPostgres().find(({ major }) => made === undefined || major === made);
  if (installed) return installed;
  const fetched = await fetchPostgres(options.directory, options.say);
  if (made === undefined || fetched.major === made) return fetched;
  throw new StartError(
    `the data in ${data} was written by PostgreSQL ${made}, which is not installed; install it, or forget the data: npm start -- --fresh`,
  );
}

function initialise(binaries: PostgresBinaries, data: string, { user, password, durable }: PostgresOptions): void {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const file of [data, passwordFile]) chownSync(file, user.uid, user.gid);
  const args = ['-D', data, '-U', administrator, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
  const { status, stderr, error } = spawnSync(
    path.join(binaries.folder, 'initdb'),
    [...args, '--locale=C', '--no-instructions', ...(durable ? [] : ['--no-sync'])],
    { cwd: path.dirname(data), env: cleanEnvironment, encoding: 'utf8', ...(user && { uid: user.uid, gid: user.gid }) },
  );
  rmSync(passwordFile, { force: true });
  if (status === 0) return;
  rmSync(data, { recursive: true, force: true });
  throw new StartError(`PostgreSQL could not create its data directory ${data}:\n${error?.message ?? stderr}`);
}

async function answers(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

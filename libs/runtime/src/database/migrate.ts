import pg from 'pg';
import type { Logger } from '../log';
import { isConnectionError } from './connection-error';
import { readMigrations, type MigrationFile } from './migration-files';
import { ensureRole, ensureSchema, ensureSettings, serviceRole } from './service-role';
import { sessionSettings } from './session-settings';

export interface MigrateOptions {
  /** The absolute path of the folder with the numbered SQL files. */
  folder: string;
  schema: string;
  /** Connection URL of the role that runs the migrations and owns the tables. */
  adminUrl: string;
  /** The service's own connection URL. Its user is the role parley_<schema>, or becomes a member of it. */
  databaseUrl: string;
  /** Statement timeout of the service's sessions behind a pooler; default 15 seconds. */
  statementTimeoutMs?: number;
  log: Pick<Logger, 'info'>;
}

const { escapeIdentifier } = pg;

const LOCK_PATIENCE_MS = 120_000;
const CONNECT_PATIENCE_MS = 15_000;

/**
 * Brings a schema to its newest migration: creates role, schema and privileges, then runs each new file in a separate transaction. If several processes do this
 * at the same time, one runs the migrations, and the others wait and find nothing to do. Migrations only go forward; a schema that is newer than the files is
 * not changed.
 * @returns the names of the files that were run
 * @throws Error if a file was changed after it ran, and PostgreSQL's errors
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const files = readMigrations(options.folder);
  const client = await connectPatiently(options.adminUrl);
  try {
    await lock(client, options.schema);
    const role = serviceRole(options.schema, options.databaseUrl);
    await ensureRole(client, role);
    const { schema, statementTimeoutMs = 15_000 } = options;
    await ensureSchema(client, schema, role.role);
    await ensureSettings(client, role.login, sessionSettings({ schema, statementTimeoutMs }));
    return await runNew(client, options, files);
  } finally {
    // Ending the session releases the advisory lock.
    await client.end();
  }
}

async function runNew(client: pg.Client, options: MigrateOptions, files: MigrationFile[]): Promise<string[]> {
  const schema = escapeIdentifier(options.schema);
  await client.query(`set search_path = ${schema}`);
  await client.query(
    `create table if not exists ${schema}.schema_migrations (
       version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const applied = await client.query<{ version: number; checksum: string }>(
    `select version, checksum from ${schema}.schema_migrations`,
  );
  const checksums = new Map(applied.rows.map((row) => [row.version, row.checksum]));
  const changed = files.find((file) => checksums.has(file.version) && checksums.get(file.version) !== file.checksum);
  if (changed !== undefined) {
    throw new Error(`${changed.name} was changed after it ran; write a new migration (or start with a fresh database)`);
  }
  const ran: string[] = [];
  for (const file of files) {
    if (checksums.has(file.version)) continue;
    await apply(client, schema, file);
    options.log.info({ migration: file.name, schema: options.schema }, 'migrated');
    ran.push(file.name);
  }
  return ran;
}

/** Maximum of attempts to run a file if the running version has locked its tables; with the pauses in between, about a minute. */
const LOCK_TRIES = 60;

/** SQLSTATEs for an exceeded lock_timeout, and for a deadlock between the running version and the file. */
const lockErrors: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

async function apply(client: pg.Client, schema: string, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await applyOnce(client, schema, file);
      return;
    } catch (error) {
      await client.query('rollback');
      const locked = error instanceof pg.DatabaseError && lockErrors.has(error.code);
      if (!locked || attempt === LOCK_TRIES) throw new Error(`${file.name}: ${messageOf(error)}`, { cause: error });
      await pause(500);
    }
  }
}

async function applyOnce(client: pg.Client, schema: string, file: MigrationFile): Promise<void> {
  const record = {
    text: `insert into ${schema}.schema_migrations (version, name, checksum) values ($1, $2, $3)`,
    values: [file.version, file.name, file.checksum],
  };
  if (!file.transactional) {
    await client.query(file.sql);
    await client.query(record);
    return;
  }
  await client.query('begin');
  // All other statements queue behind a DDL statement that waits for a lock, so it must wait only briefly.
  await client.query("set local lock_timeout = '500ms'");
  await client.query(file.sql);
  await client.query(record);
  await client.query('commit');
}

/**
 * Takes an advisory lock by trying in a loop. A session that waits inside PostgreSQL has a snapshot; `create index concurrently` would wait for that session
 * while it has the lock that the session waits for.
 */
async function lock(client: pg.Client, schema: string): Promise<void> {
  const until = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    const answer = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('parley migrations'), hashtext($1)) as locked",
      [schema],
    );
    if (answer.rows[0]?.locked) return;
    if (performance.now() > until) throw new Error(`another migration of ${schema} has not ended yet`);
    await pause(100);
  }
}

async function connectPatiently(url: string): Promise<pg.Client> {
  const until = performance.now() + CONNECT_PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'parley-migrate',
      connectionTimeoutMillis: 5_000,
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!isConnectionError(error) || performance.now() > until) throw error;
      await pause(250);
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

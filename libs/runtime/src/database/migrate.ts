import pg from 'pg';
import type { Logger } from '../log';
import { isConnectionError } from './connection-error';
import { readSchema } from './schema-file';
import { ensureRole, ensureSchema, ensureSettings, serviceRole } from './service-role';
import { sessionSettings } from './session-settings';

export interface MigrateOptions {
  /** The absolute path of the service's schema.sql. */
  file: string;
  schema: string;
  /** Connection URL of the role that owns the tables. */
  adminUrl: string;
  /** The service's own connection URL. Its user is the role parley_<schema>, or becomes a member of it. */
  databaseUrl: string;
  /** Statement timeout of the service's sessions behind a pooler; default 15 seconds. */
  statementTimeoutMs?: number;
  log: Pick<Logger, 'info'>;
}

const LOCK_PATIENCE_MS = 120_000;
const CONNECT_PATIENCE_MS = 15_000;

/**
 * Creates the role, the privileges and, in a database that has none yet, the tables of schema.sql. If several processes do this at the same time, one creates
 * the tables, and the others wait and find them. There are no migrations before 0.1.0.
 * @throws Error if the tables were created from another schema.sql, and PostgreSQL's errors
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { schema, statementTimeoutMs = 15_000 } = options;
  const client = await connectPatiently(options.adminUrl);
  try {
    await client.query(`set lock_timeout = ${LOCK_PATIENCE_MS}`);
    await client.query("select pg_advisory_lock(hashtext('parley migrations'), hashtext($1))", [schema]);
    const role = serviceRole(schema, options.databaseUrl);
    await ensureRole(client, role);
    await ensureSchema(client, schema, role.role);
    await ensureSettings(client, role.login, sessionSettings({ schema, statementTimeoutMs }));
    await createTables(client, options);
  } finally {
    // Ending the session releases the advisory lock.
    await client.end();
  }
}

async function createTables(client: pg.Client, { file, schema, log }: MigrateOptions): Promise<void> {
  const { sql, hash } = readSchema(file);
  const state = await schemaState(client, schema, hash);
  if (state === 'current') return;
  if (state !== 'absent') throw new Error(state);
  await client.query(`set search_path = ${pg.escapeIdentifier(schema)}`);
  await client.query('begin');
  await client.query(sql);
  await client.query('create table schema_version (hash text not null, created_at timestamptz not null default now())');
  await client.query('insert into schema_version (hash) values ($1)', [hash]);
  await client.query('commit');
  log.info({ schema }, 'migrated');
}

/** A database, or a client of pg. */
interface Asked {
  query(statement: { text: string; values?: string[] }): Promise<{ rows: unknown[] }>;
}

/**
 * Compares the tables of a database with the hash of a schema.sql.
 * @returns 'absent', 'current', or for other tables a text that says what to do
 */
export async function schemaState(db: Asked, schema: string, hash: string): Promise<string> {
  const table = `${pg.escapeIdentifier(schema)}.schema_version`;
  const exists = await db.query({ text: 'select 1 where to_regclass($1) is not null', values: [table] });
  if (exists.rows.length === 0) return 'absent';
  const { rows } = await db.query({ text: `select hash from ${table}` });
  const [found] = rows as { readonly hash: string }[];
  return found?.hash === hash
    ? 'current'
    : `the tables in the schema ${schema} were created from another schema.sql, and there are no migrations before 0.1.0: ` +
        'start with a new database (npm start -- --fresh)';
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
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

import { randomBytes } from 'node:crypto';
import { createDatabase, createLogger, migrate, readSchema, type Database } from '@parley/runtime';
import pg from 'pg';
import { CrossTenantReadCheck } from './cross-tenant-read-check';

export interface TestDatabase {
  /** Connects with the permissions of the service's own role. */
  db: Database;
  /** Connection URL of an administrator of this database. */
  adminUrl: string;
  /** The service's DATABASE_URL. */
  url: string;
  /** Includes the statements of another replica's pool in the check of cross-tenant reads; does nothing without `checkCrossTenantReads`. */
  observe(replica: Database): void;
  drop(): Promise<void>;
}

/** The same for all tests, because roles belong to the whole server. */
const PASSWORD = 'parley-test';

/** Shared, because each logger writes its buffer when the process exits. */
const log = createLogger({ service: 'test', level: 'silent' });

/** A temporary database on the server of TEST_DATABASE_URL, with the tables of a schema.sql. Call `drop` at the end. */
export async function testDatabase(options: {
  schemaFile: string;
  schema: string;
  poolSize?: number;
  /** If set, `drop` repeats all reads of the test with another organization, and throws if one returns a row. */
  checkCrossTenantReads?: boolean;
  /** URL of an administrator of the server. Default: TEST_DATABASE_URL. */
  server?: string;
}): Promise<TestDatabase> {
  const server = options.server ?? process.env['TEST_DATABASE_URL'];
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: run node scripts/test.mts integration');
  const { schema, schemaFile: file } = options;
  const name = `test_${schema}_${randomBytes(5).toString('hex')}`;
  const template = await migratedTemplate(server, schema, file);
  await onServer(server, `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`);

  const adminUrl = databaseUrl(server, name);
  const url = databaseUrl(server, name, { user: `parley_${schema}`, password: PASSWORD });
  // Creates no tables, but sets what belongs to a database and is not copied with it.
  await migrate({ file, schema, adminUrl, databaseUrl: url, log });

  // Tests insert a hundred thousand rows, sometimes on slow machines.
  const statementTimeoutMs = 120_000;
  const db = createDatabase({
    url,
    schema,
    poolSize: options.poolSize,
    applicationName: name,
    statementTimeoutMs,
    log,
  });
  const finders = options.checkCrossTenantReads === true ? new CrossTenantReadCheck(db.pool) : undefined;
  return {
    db,
    adminUrl,
    url,
    observe: (replica) => finders?.observe(replica.pool),
    drop: async () => {
      try {
        if (!db.pool.ended) {
          await finders?.prove();
          await db.pool.end();
        }
      } finally {
        await onServer(server, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
      }
    },
  };
}

/** Templates that this process knows to exist. */
const templates = new Set<string>();

/**
 * A database with the tables of a schema.sql, which is made once per server and copied for each test, because creating tables takes a second. It stays on the
 * server: the servers of `npm test` are temporary. @returns its name
 */
async function migratedTemplate(server: string, schema: string, file: string): Promise<string> {
  const name = `parley_test_template_${schema}_${readSchema(file).hash.slice(0, 12)}`;
  if (templates.has(name)) return name;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // Held until the session ends, so that another worker waits for the finished template.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      // Renamed at the end, so that a template that was not finished is not taken for one that was.
      const unfinished = `${name}_${randomBytes(3).toString('hex')}`;
      await client.query(`create database ${pg.escapeIdentifier(unfinished)}`);
      const databaseUrlOf = (login?: { user: string; password: string }) => databaseUrl(server, unfinished, login);
      const login = { user: `parley_${schema}`, password: PASSWORD };
      await migrate({ file, schema, adminUrl: databaseUrlOf(), databaseUrl: databaseUrlOf(login), log });
      await client.query(`alter database ${pg.escapeIdentifier(unfinished)} rename to ${pg.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
  templates.add(name);
  return name;
}

function databaseUrl(server: string, name: string, login?: { user: string; password: string }): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (login !== undefined) {
    url.username = login.user;
    url.password = login.password;
  }
  return url.href;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

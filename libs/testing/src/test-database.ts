import { randomBytes } from 'node:crypto';
import { createDatabase, createLogger, migrate, type Database } from '@parley/runtime';
import pg from 'pg';
import { CrossTenantReadCheck } from './cross-tenant-read-check';

export interface TestDatabase {
  /** Works with the rights of the service's own role. */
  db: Database;
  /** An administrator's URL of this database. */
  adminUrl: string;
  /** The service's DATABASE_URL. */
  url: string;
  /** Has the finders of a replica, which has a pool of its own, proved as well; nothing without `checkCrossTenantReads`. */
  observe(replica: Database): void;
  drop(): Promise<void>;
}

/** The same for every test: roles belong to the whole server. */
const PASSWORD = 'parley-test';

/** One for all: each writes what it holds when the process exits. */
const log = createLogger({ service: 'test', level: 'silent' });

/** A throwaway database on the server of TEST_DATABASE_URL, migrated as `migrate` would do it. Call `drop` in the end. */
export async function testDatabase(options: {
  migrations: string;
  schema: string;
  poolSize?: number;
  /** `drop` runs every finder of the test again with a foreign organization, and throws where one shows it a row. */
  checkCrossTenantReads?: boolean;
}): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set: run node scripts/test.mts integration');
  const { schema, migrations: folder } = options;
  const name = `test_${schema}_${randomBytes(5).toString('hex')}`;
  await onServer(server, `create database ${pg.escapeIdentifier(name)}`);

  const adminUrl = databaseUrl(server, name);
  const url = databaseUrl(server, name, { user: `parley_${schema}`, password: PASSWORD });
  await migrate({ folder, schema, adminUrl, databaseUrl: url, log });

  // Tests fill tables with a hundred thousand rows, on whatever machine this is.
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

import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createDatabase, createLogger, migrate } from '@parley/runtime';
import { CrossTenantReadCheck } from './cross-tenant-read-check';
import { testDatabase, type TestDatabase } from './test-database';

/** The compiled script, even if this file runs from its TypeScript source. */
const script = path.join(__dirname, '../dist/pgvector-server.js');
const log = createLogger({ service: 'test', level: 'silent' });

/**
 * A temporary database of a PostgreSQL with pgvector, which the packages of Debian 12 do not include, with the tables of a schema.sql. If VECTOR_DATABASE_URL is
 * set, to the URL of an administrator of such a server, as `testDatabase` makes it. Otherwise of one that is compiled to WebAssembly, without the service's
 * role: statements run as an administrator, one after the other. `drop` repeats all reads of the test with another organization, and throws if one returns a
 * row.
 */
export async function vectorDatabase(options: { schemaFile: string; schema: string }): Promise<TestDatabase> {
  const { schemaFile: file, schema } = options;
  const native = process.env['VECTOR_DATABASE_URL'];
  if (native !== undefined && native !== '')
    return testDatabase({ ...options, server: native, checkCrossTenantReads: true });
  const server = fork(script, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = (await Promise.race([
    once(server, 'message'),
    once(server, 'exit').then(() => {
      throw new Error('PostgreSQL with pgvector did not start');
    }),
  ])) as [number];
  const urlOf = (user: string): string => `postgresql://${user}:unused@127.0.0.1:${port}/postgres`;
  const adminUrl = urlOf('postgres');
  const url = urlOf(`parley_${schema}`);
  await migrate({ file, schema, adminUrl, databaseUrl: url, log });
  const db = createDatabase({ url, schema, poolSize: 1, applicationName: 'test', statementTimeoutMs: 120_000, log });
  const reads = new CrossTenantReadCheck(db.pool);
  return {
    db,
    adminUrl,
    url,
    observe: (replica) => reads.observe(replica.pool),
    drop: async () => {
      try {
        await reads.prove();
        await db.pool.end();
      } finally {
        server.kill('SIGKILL');
      }
    },
  };
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import pg from 'pg';
import { createLogger, migrate } from '../src';
import { ServiceProcess } from './service-process';

const log = createLogger({ service: 'test', level: 'silent' });
const schemaFile = path.join(__dirname, 'fixtures', 'schema.sql');
const schema = 'runtime_test';
const folder = mkdtempSync(path.join(tmpdir(), 'schema-'));
let test: TestDatabase;

/** A file with this text. */
const fileOf = (sql: string): string => {
  const file = path.join(folder, `${randomBytes(4).toString('hex')}.sql`);
  writeFileSync(file, sql);
  return file;
};

const run = (sql: string, name: string): Promise<void> =>
  migrate({ file: fileOf(sql), schema: name, adminUrl: test.adminUrl, databaseUrl: test.url, log });

async function admin<R extends pg.QueryResultRow>(sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: test.adminUrl });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  test = await testDatabase({ schemaFile, schema });
});

afterAll(async () => {
  await test.drop();
  rmSync(folder, { recursive: true });
});

describe('migrate', () => {
  it('the service role can change rows but not the schema, and revoked privileges are refused', async () => {
    const { db } = test;
    await db.query({ text: "insert into notes values (1, 'a')" });
    await db.query({ text: "update notes set body = 'b'" });
    await db.query({ text: 'delete from notes' });
    await db.query({ text: "insert into audit (act) values ('minted')" });
    expect((await db.query({ text: 'select act from audit' })).rows).toEqual([{ act: 'minted' }]);
    for (const text of [
      "update audit set act = 'x'",
      'delete from audit',
      'truncate audit',
      'drop table audit',
      'alter table notes add column more text',
      'grant update on audit to public',
      'create table other (id int)',
    ]) {
      const failure = await db.query({ text }).then(
        () => undefined,
        (error: unknown) => error,
      );
      // A grant without the privilege for it is only a warning, so the test checks that it had no effect.
      if (!text.startsWith('grant')) expect(failure).toMatchObject({ code: '42501' });
    }
    await expect(db.query({ text: 'delete from audit' })).rejects.toMatchObject({ code: '42501' });
  });

  it('the service role cannot access another schema', async () => {
    await migrate({
      file: fileOf('create table mine (id int)'),
      schema: 'runtime_test_other',
      adminUrl: test.adminUrl,
      databaseUrl: test.url.replace('parley_runtime_test', 'parley_runtime_test_other'),
      log,
    });
    await expect(test.db.query({ text: 'select * from runtime_test_other.mine' })).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('a failing schema leaves no table, and can be repaired', async () => {
    const name = `s${randomBytes(4).toString('hex')}`;
    await expect(run('create table one (id int); select 1/0', name)).rejects.toMatchObject({ code: '22012' });
    expect(await admin(`select to_regclass('${name}.one') is null as absent`)).toEqual([{ absent: true }]);
    await run('create table one (id int)', name);
    expect(await admin(`select * from ${name}.one`)).toEqual([]);
  });

  it('changes nothing for the same schema, and refuses another one', async () => {
    const name = `s${randomBytes(4).toString('hex')}`;
    await run('create table one (id int)', name);
    await admin(`insert into ${name}.one values (7)`);
    await run('-- described\ncreate table one (id int)', name);
    await expect(run('create table one (id bigint)', name)).rejects.toThrow('--fresh');
    expect(await admin(`select id from ${name}.one`)).toEqual([{ id: 7 }]);
  });
});

describe('the migrate command', () => {
  it('concurrent processes all succeed, one creates the tables, and a waiting service becomes ready', async () => {
    const empty = await testDatabase({ schemaFile: fileOf(''), schema: 'elsewhere' });
    const databaseUrl = new URL(empty.url);
    databaseUrl.username = 'parley_runtime_test';
    const env = { GREETER_DATABASE: '1', DATABASE_URL: databaseUrl.href };
    // Its role exists since the first test database of this server.
    const service = new ServiceProcess(env);
    try {
      const { health } = (await eventually(() => service.line('ready'))) as { health?: number };
      const readiness = () => fetch(`http://127.0.0.1:${health}/readyz`);
      expect((await readiness()).status).toBe(503);
      const commands = [1, 2, 3].map(
        () => new ServiceProcess({ ...env, MIGRATIONS_DATABASE_URL: empty.adminUrl }, ['migrate']),
      );
      expect(await Promise.all(commands.map((command) => command.exit()))).toEqual([0, 0, 0]);
      const created = commands.filter((command) => command.stderr.includes('"migrated"'));
      expect(created).toHaveLength(1);
      await eventually(async () => (await readiness()).status === 200 || undefined);
    } finally {
      service.kill('SIGTERM');
      expect(await service.exit()).toBe(0);
      await empty.drop();
    }
  });

  it('a service whose schema.sql is another one than that of the database does not start', async () => {
    const other = fileOf('create table notes (id int)');
    const service = new ServiceProcess({ GREETER_DATABASE: '1', GREETER_SCHEMA: other, DATABASE_URL: test.url });
    expect(await service.exit()).toBe(1);
    expect(service.stderr).toContain('npm start -- --fresh');
  });
});

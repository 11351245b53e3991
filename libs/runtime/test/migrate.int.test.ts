import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import pg from 'pg';
import { createLogger, migrate } from '../src';
import { ServiceProcess } from './service-process';

const log = createLogger({ service: 'test', level: 'silent' });
const folder = path.join(__dirname, 'fixtures', 'migrations');
const schema = 'runtime_test';
const folders: string[] = [];
let test: TestDatabase;

const folderOf = (files: Record<string, string>): string => {
  const created = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  folders.push(created);
  for (const [name, sql] of Object.entries(files)) writeFileSync(path.join(created, name), sql);
  return created;
};

const run = (files: string, name: string): Promise<string[]> =>
  migrate({ folder: files, schema: name, adminUrl: test.adminUrl, databaseUrl: test.url, log });

const failed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );

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
  test = await testDatabase({ migrations: folder, schema });
});

afterAll(async () => {
  await test.drop();
  for (const created of folders) rmSync(created, { recursive: true });
});

describe('migrate', () => {
  it('applied both files, one of them outside a transaction, and a second run applies none', async () => {
    const rows = await admin(`select version, name from ${schema}.schema_migrations order by version`);
    expect(rows).toEqual([
      { version: 1, name: '0001-notes.sql' },
      { version: 2, name: '0002-note-index.sql' },
    ]);
    expect(await admin("select 1 as found from pg_indexes where indexname = 'notes_body'")).toHaveLength(1);
    expect(await run(folder, schema)).toEqual([]);
  });

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
    expect(await failed(db.query({ text: 'delete from audit' }))).toBe(true);
  });

  it('the service role cannot access another schema', async () => {
    await migrate({
      folder: folderOf({ '0001-a.sql': 'create table mine (id int)' }),
      schema: 'runtime_test_other',
      adminUrl: test.adminUrl,
      databaseUrl: test.url.replace('parley_runtime_test', 'parley_runtime_test_other'),
      log,
    });
    await expect(test.db.query({ text: 'select * from runtime_test_other.mine' })).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('a failing file is rolled back and applied in the next run', async () => {
    const name = `s${randomBytes(4).toString('hex')}`;
    const files = folderOf({
      '0001-a.sql': 'create table one (id int)',
      '0002-b.sql': 'create table two (id int); select 1/0',
    });
    expect(await failed(run(files, name))).toBe(true);
    expect(
      await admin(`select to_regclass('${name}.one') is null as one, to_regclass('${name}.two') is null as two`),
    ).toEqual([{ one: false, two: true }]);
    writeFileSync(path.join(files, '0002-b.sql'), 'create table two (id int)');
    expect(await run(files, name)).toEqual(['0002-b.sql']);
  });

  it('fails if an applied file was changed, and ignores migrations that only the schema has', async () => {
    const name = `s${randomBytes(4).toString('hex')}`;
    const files = folderOf({ '0001-a.sql': 'create table one (id int)', '0002-b.sql': 'create table two (id int)' });
    await run(files, name);
    rmSync(path.join(files, '0002-b.sql'));
    expect(await run(files, name)).toEqual([]);
    writeFileSync(path.join(files, '0001-a.sql'), 'create table one (id bigint)');
    expect(await failed(run(files, name))).toBe(true);
  });

  it('waits for a lock of the running version instead of failing', async () => {
    const name = `s${randomBytes(4).toString('hex')}`;
    const files = folderOf({ '0001-a.sql': 'create table one (id int)' });
    await run(files, name);
    writeFileSync(
      path.join(files, '0002-b.sql'),
      "set local lock_timeout = '50ms'; alter table one add column more text",
    );
    const holder = new pg.Client({ connectionString: test.adminUrl });
    await holder.connect();
    await holder.query(`begin; select * from ${name}.one`);
    const migrating = run(files, name);
    await eventually(async () => {
      const rows = await admin(
        "select 1 as found from pg_stat_activity where application_name = 'parley-migrate' and datname = current_database()",
      );
      return rows.length > 0 || undefined;
    });
    await holder.query('commit');
    expect(await migrating).toEqual(['0002-b.sql']);
    await holder.end();
  });
});

describe('a migration that deadlocks with the running version', () => {
  it.each(['40P01', '55P03'])('is repeated after %s', async (code) => {
    const name = `s${randomBytes(4).toString('hex')}`;
    const files = folderOf({ '0001-a.sql': 'create sequence tries' });
    await run(files, name);
    // A rollback does not reset a sequence.
    const failingOnce = `do $$ begin
      if nextval('tries') = 1 then raise exception using errcode = '${code}'; end if;
    end $$; create table made (id int)`;
    writeFileSync(path.join(files, '0002-b.sql'), failingOnce);
    expect(await run(files, name)).toEqual(['0002-b.sql']);
  });

  it('fails immediately for an error that a repetition cannot fix', async () => {
    const name = `s${randomBytes(4).toString('hex')}`;
    const files = folderOf({ '0001-a.sql': 'create sequence tries' });
    await run(files, name);
    writeFileSync(path.join(files, '0002-b.sql'), `select 1 / (nextval('tries') - 1)`);
    expect(await failed(run(files, name))).toBe(true);
    expect(await admin(`select last_value::integer as tries from ${name}.tries`)).toEqual([{ tries: 1 }]);
  });
});

describe('the migrate command', () => {
  it('concurrent processes all succeed, each file is applied once, and a waiting service becomes ready', async () => {
    const empty = await testDatabase({ migrations: folderOf({}), schema: 'elsewhere' });
    const databaseUrl = new URL(empty.url);
    databaseUrl.username = 'parley_runtime_test';
    const env = { GREETER_DATABASE: '1', DATABASE_URL: databaseUrl.href };
    const service = new ServiceProcess(env);
    const commands = [1, 2, 3].map(
      () => new ServiceProcess({ ...env, MIGRATIONS_DATABASE_URL: empty.adminUrl }, ['migrate']),
    );
    try {
      expect(await Promise.all(commands.map((command) => command.exit()))).toEqual([0, 0, 0]);
      const migrated = commands.flatMap((command) =>
        command.stderr.split('\n').filter((line) => line.includes('"migrated"')),
      );
      expect(migrated.length).toBe(2);
      const { health } = (await eventually(() => service.line('ready'))) as { health?: number };
      await eventually(async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).status === 200 || undefined);
    } finally {
      service.kill('SIGTERM');
      expect(await service.exit()).toBe(0);
      await empty.drop();
    }
  });

  it('a service is not ready before its schema exists', async () => {
    const empty = await testDatabase({ migrations: folderOf({}), schema });
    const service = new ServiceProcess({ GREETER_DATABASE: '1', DATABASE_URL: empty.url });
    try {
      const { health } = (await eventually(() => service.line('ready'))) as { health?: number };
      const answer = await fetch(`http://127.0.0.1:${health}/readyz`);
      expect([answer.status, await answer.json()]).toMatchObject([
        503,
        { checks: { database: expect.stringContaining('0 of 2') } },
      ]);
    } finally {
      service.kill('SIGTERM');
      expect(await service.exit()).toBe(0);
      await empty.drop();
    }
  });

  it('a service of the previous release is ready with one newer migration, and not with one missing', async () => {
    const notes = readFileSync(path.join(folder, '0001-notes.sql'), 'utf8');
    const index = readFileSync(path.join(folder, '0002-note-index.sql'), 'utf8');
    const files = folderOf({ '0001-notes.sql': notes });
    const database = await testDatabase({ migrations: files, schema });
    const bring = () => migrate({ folder: files, schema, adminUrl: database.adminUrl, databaseUrl: database.url, log });
    const service = new ServiceProcess({ GREETER_DATABASE: '1', DATABASE_URL: database.url });
    try {
      const { health } = (await eventually(() => service.line('ready'))) as { health?: number };
      const check = async () => {
        const answer = await fetch(`http://127.0.0.1:${health}/readyz`);
        return {
          status: answer.status,
          database: ((await answer.json()) as { checks: Record<string, string> }).checks['database'],
        };
      };
      expect(await check()).toEqual({ status: 503, database: expect.stringContaining('1 of 2') });
      writeFileSync(path.join(files, '0002-note-index.sql'), index);
      writeFileSync(path.join(files, '0003-later.sql'), 'alter table notes add column later text');
      expect(await bring()).toEqual(['0002-note-index.sql', '0003-later.sql']);
      await eventually(async () => ((await check()).status === 200 ? true : undefined));
      expect(await check()).toEqual({ status: 200, database: 'ok' });
    } finally {
      service.kill('SIGTERM');
      expect(await service.exit()).toBe(0);
      await database.drop();
    }
  });
});

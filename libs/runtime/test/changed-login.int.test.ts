import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, fakeClock, testDatabase, type TestDatabase } from '@parley/testing';
import pg from 'pg';
import { changingSecret, createDatabase, createLogger, migrate } from '../src';

const log = createLogger({ service: 'test', level: 'silent' });
const schema = 'runtime_test';
const schemaFile = path.join(__dirname, 'fixtures', 'schema.sql');

describe('replacing the database user while the service runs', () => {
  let test: TestDatabase;
  let home: string;

  beforeAll(async () => {
    test = await testDatabase({ schemaFile, schema });
    home = mkdtempSync(path.join(tmpdir(), 'parley-secret-'));
  });
  afterAll(async () => {
    await test.drop();
    rmSync(home, { recursive: true });
  });

  /** @returns the number of rows */
  async function admin(sql: string): Promise<number> {
    const client = new pg.Client({ connectionString: test.adminUrl });
    await client.connect();
    const { rowCount } = await client.query(sql).finally(() => client.end());
    return rowCount ?? 0;
  }

  function loginOf(user: string, password: string): string {
    const url = new URL(test.url);
    url.username = user;
    url.password = password;
    return url.href;
  }

  // docs/operating.md, "Rotation", step by step.
  it('no statement fails: create the new user, change the file, wait until no session of the old user is left, lock it', async () => {
    const suffix = path.basename(home).slice(-6).toLowerCase();
    const [first, second] = [`parley_login_${suffix}_1`, `parley_login_${suffix}_2`];
    const file = path.join(home, 'url');
    const clock = fakeClock();
    const give = (url: string) => writeFileSync(file, `${url}\n`);
    const make = (url: string) => migrate({ file: schemaFile, schema, adminUrl: test.adminUrl, databaseUrl: url, log });

    const before = loginOf(first, 'one');
    await make(before);
    give(before);
    const url = changingSecret('DATABASE_URL', before, { env: { DATABASE_URL_FILE: file }, clock });
    // Connections are renewed after seconds here, and after ten minutes in production.
    const db = createDatabase({ url, schema, log, poolSize: 4, renewAfterSeconds: 2 });
    const who = async (): Promise<string> => {
      const { rows } = await db.query<{ who: string }>({
        text: 'select session_user::text as who from pg_sleep(0.01)',
      });
      return rows[0]?.who ?? '';
    };
    let asked = 0;
    let going = true;
    const failures: unknown[] = [];
    const load = Array.from({ length: 3 }, async () => {
      while (going) {
        await who().catch((error: unknown) => failures.push(error));
        asked += 1;
      }
    });
    try {
      expect(await who()).toBe(first);
      // From here on both users can log in.
      await make(loginOf(second, 'two'));
      give(loginOf(second, 'two'));
      clock.advance(5_000);
      // Open connections keep the old user until they are renewed.
      await eventually(async () => {
        const left = await admin(`select from pg_stat_activity where usename = '${first}'`);
        return left === 0 || undefined;
      });
      await admin(`alter role ${first} nologin`);
      const askedSoFar = asked;
      await eventually(() => asked > askedSoFar + 20 || undefined);
      expect(await who()).toBe(second);
    } finally {
      going = false;
      await Promise.all(load);
      await db.pool.end();
      await admin(`drop owned by ${first}, ${second}`).then(() => admin(`drop role ${first}, ${second}`));
    }
    expect(failures).toEqual([]);
  });

  it('a rejected password gives 503, not an error of the request', async () => {
    const db = createDatabase({ url: loginOf(`parley_${schema}`, 'another'), schema, log });
    await expect(db.query({ text: 'select 1' })).rejects.toMatchObject({ code: 'internal_error', status: 503 });
    await expect(db.transaction((tx) => tx.query({ text: 'select 1' }))).rejects.toMatchObject({ status: 503 });
    await db.pool.end();
  });
});

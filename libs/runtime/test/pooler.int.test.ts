import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { testDatabase, type TestDatabase } from '@parley/testing';
import { createAuthority, issueCertificate } from '@parley/testing/certificates';
import { createDatabase, createLogger, type Database } from '../src';
import { hasPgBouncer, pgBouncer, sessionsOf, type PgBouncer } from './pgbouncer';

const log = createLogger({ service: 'test', level: 'silent' });
const schema = 'runtime_test';

/** Debian's pgbouncer, which continuous integration installs (.ci/run). */
(hasPgBouncer ? describe : describe.skip)('behind PgBouncer in transaction mode', () => {
  let test: TestDatabase;
  let bouncer: PgBouncer;
  let db: Database;

  beforeAll(async () => {
    test = await testDatabase({ schemaFile: path.join(__dirname, 'fixtures', 'schema.sql'), schema });
    bouncer = await pgBouncer(test.url);
    db = createDatabase({ url: bouncer.url, schema, pooler: true, poolSize: 20, log });
  });
  afterAll(async () => {
    await db.pool.end();
    await bouncer.close();
    await test.drop();
  });

  it('statements use the schema and the settings that migrate gave to the role', async () => {
    const settings = [
      'search_path',
      'statement_timeout',
      'jit',
      'enable_seqscan',
      'plan_cache_mode',
      'random_page_cost',
    ];
    const { rows } = await db.query({
      text: 'select name, setting from pg_settings where name = any($1) order by name',
      values: [settings],
    });
    const direct = await test.db.query({
      text: "select name, case name when 'statement_timeout' then '15000' else setting end as setting from pg_settings where name = any($1) order by name",
      values: [settings],
    });
    expect(rows).toEqual(direct.rows);
    expect((await db.query({ text: 'select count(*)::integer as n from notes' })).rows).toEqual([{ n: 0 }]);
  });

  it('named statements and transactions of many clients share two server connections', async () => {
    const insert = (id: number) => ({
      name: 'insert-note',
      text: 'insert into notes (id, body) values ($1, $2)',
      values: [id, `note ${id}`],
    });
    await Promise.all(
      Array.from({ length: 80 }, (_, id) =>
        id % 2 === 0
          ? db.query(insert(id))
          : db.transaction(async (tx) => {
              await tx.query(insert(id));
              await tx.query({
                name: 'touch',
                text: 'update notes set body = $2 where id = $1',
                values: [id, 'twice'],
              });
            }),
      ),
    );
    const { rows } = await db.query({
      text: "select count(*)::integer as n, count(*) filter (where body = 'twice')::integer as twice from notes",
    });
    expect(rows).toEqual([{ n: 80, twice: 40 }]);
    expect(db.pool.totalCount).toBeGreaterThan(2);
    const sessions = await sessionsOf(test.adminUrl, `parley_${schema}`);
    // The sessions of the pooler and those of the test's own pool.
    expect(sessions - test.db.pool.totalCount).toBeLessThanOrEqual(2);
  });

  it('a failed transaction leaves no settings in the shared session', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.query({ text: "select set_config('statement_timeout', '60000', true)" });
        await tx.query({ text: 'insert into notes (id, body) values (1000, $1)', values: ['gone'] });
        throw new Error('as asked');
      }),
    ).rejects.toThrow('as asked');
    const { rows } = await db.query({
      text: "select current_setting('statement_timeout') as timeout, count(*)::integer as n from notes where id = 1000",
    });
    expect(rows).toEqual([{ timeout: '15s', n: 0 }]);
  });

  it('without the setting for a pooler the connection is refused, because the pooler would drop startup options', async () => {
    const unaware = createDatabase({ url: bouncer.url, schema, log });
    await expect(unaware.query({ text: 'select 1' })).rejects.toThrow();
    await unaware.pool.end();
  });
});

(hasPgBouncer ? describe : describe.skip)('PostgreSQL over TLS with its own CA', () => {
  let test: TestDatabase;
  let bouncer: PgBouncer;
  let folder: string;
  let authority: string;
  let foreign: string;

  beforeAll(async () => {
    test = await testDatabase({ schemaFile: path.join(__dirname, 'fixtures', 'schema.sql'), schema });
    const own = await createAuthority('servers');
    const tls = await issueCertificate(own, { hosts: ['localhost'] });
    bouncer = await pgBouncer(test.url, { tls, host: 'localhost' });
    folder = mkdtempSync(path.join(tmpdir(), 'parley-ca-'));
    [authority, foreign] = ['ours.crt', 'foreign.crt'].map((name) => path.join(folder, name)) as [string, string];
    writeFileSync(authority, own.certificate);
    writeFileSync(foreign, (await createAuthority('others')).certificate);
  });
  afterAll(async () => {
    await bouncer.close();
    await test.drop();
    rmSync(folder, { recursive: true });
  });

  /** Runs in a separate process, because Node reads NODE_EXTRA_CA_CERTS only at startup. */
  function asks(url: string, bundle?: string): string {
    const program = `
      const { createDatabase } = require(${JSON.stringify(path.resolve(__dirname, '../dist'))});
      const db = createDatabase({ url: ${JSON.stringify(url)}, schema: '${schema}', pooler: true });
      db.query({ text: 'select 1 as one' }).then(({ rows }) => rows[0].one, (error) => error.cause?.code ?? error.code ?? error.message)
        .then((answer) => { console.log(String(answer)); process.exit(0); });`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: bundle ?? '' };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' });
    return stdout.trim() || stderr;
  }

  it('verify-full checks certificate and name, with the CA bundle or sslrootcert', () => {
    const verified = `${bouncer.url}?sslmode=verify-full`;
    expect(asks(verified, authority)).toBe('1');
    expect(asks(`${verified}&sslrootcert=${authority}`)).toBe('1');
    expect(asks(verified)).not.toBe('1');
    expect(asks(verified, foreign)).not.toBe('1');
    // The certificate is valid only for localhost.
    expect(asks(verified.replace('localhost', '127.0.0.1'), authority)).not.toBe('1');
  });
});

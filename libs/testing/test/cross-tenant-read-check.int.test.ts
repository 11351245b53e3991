import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase, type Database } from '@parley/runtime';
import { CrossTenantReadCheck, testDatabase, type TestDatabase } from '../src';

const organizationId = `org_${'0'.repeat(26)}`;
const noteId = `not_${'1'.repeat(26)}`;

/** docs/reference/keys.md#foreign-reads: `drop` of a test database with `checkCrossTenantReads` repeats the executed reads as another organization. */
describe('cross-tenant read check', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'schema-'));
  let test: TestDatabase;

  beforeAll(async () => {
    writeFileSync(
      path.join(folder, 'schema.sql'),
      'create table notes (\n  organization_id text,\n  note_id text,\n  body text\n);\ncreate sequence executions;',
    );
    test = await testDatabase({ schemaFile: path.join(folder, 'schema.sql'), schema: 'finders_test' });
    await test.db.query({
      text: 'insert into notes (organization_id, note_id, body) values ($1, $2, $3)',
      values: [organizationId, noteId, 'ours'],
    });
  });

  afterAll(async () => {
    await test?.drop();
    rmSync(folder, { recursive: true });
  });

  /** The result of the check for a single statement. */
  const proofOf = (text: string, values: unknown[]): Promise<'kept' | 'reported'> =>
    onPool(async (db, finders) => {
      await db.query({ text, values });
      expect(finders.size).toBe(1);
      return finders.prove().then(
        () => 'kept',
        () => 'reported',
      );
    });

  const onPool = async <T>(work: (db: Database, finders: CrossTenantReadCheck) => Promise<T>): Promise<T> => {
    const db = createDatabase({ url: test.url, schema: 'finders_test' });
    try {
      return await work(db, new CrossTenantReadCheck(db.pool));
    } finally {
      await db.pool.end();
    }
  };

  it.each([
    [
      'a row of the organization passes',
      'select body from notes where organization_id = $1 and note_id = $2 for update',
      'kept',
    ],
    [
      'a row found without the organization is reported',
      'select body from notes where organization_id = $1 or note_id = $2',
      'reported',
    ],
    [
      'a count in the organization passes',
      'select count(*) from notes where organization_id = $1 and note_id = $2',
      'kept',
    ],
    [
      'a count over all organizations is reported',
      'select count(*) from notes where note_id = $2 or organization_id = $1',
      'reported',
    ],
    [
      'nulls and the time pass',
      'select now(), (select body from notes where (organization_id, note_id) = ($1, $2))',
      'kept',
    ],
    ['returned parameters pass', 'select $1::text, $2::text', 'kept'],
  ])('%s', async (_what, text, expected) => {
    expect(await proofOf(text, [organizationId, noteId])).toBe(expected);
  });

  describe('a result that changes between two executions', () => {
    /** Runs a statement whose column `late` is true from its n-th execution on; the first execution is recorded, and the others are the check's. */
    const changing = async (n: number, selected: string): Promise<string> => {
      const { rows } = await test.db.query<{ now: number }>({ text: `select nextval('executions')::integer as now` });
      const text = `select nextval('executions') - ${rows[0]?.now ?? 0} >= ${n} as late, ${selected}`;
      return proofOf(text, [organizationId, noteId]);
    };

    it.each([3, 4, 5])('passes if it does not depend on the organization (change at execution %i)', async (n) => {
      expect(await changing(n, '$1::text is null, $2::text is null')).toBe('kept');
    });

    it.each([3, 4, 5])('is reported if it does depend on it (change at execution %i)', async (n) => {
      const count = '(select count(*) from notes where note_id = $2 or organization_id = $1)';
      expect(await changing(n, count)).toBe('reported');
    });

    it('is reported if it is never the same twice', async () => {
      expect(await changing(1, `currval('executions'), $1::text is null, $2::text is null`)).toBe('reported');
    });
  });

  it('an id in a result is reported, also if it is not a parameter', async () => {
    const text = 'select note_id from notes where organization_id = any($1) or length(note_id) > 0';
    expect(await proofOf(text, [[organizationId]])).toBe('reported');
  });

  it('a statement on another pool is reported if that pool is observed', async () => {
    const text = 'select body from notes where organization_id = $1 or note_id = $2';
    await onPool(async (_own, finders) => {
      const replica = createDatabase({ url: test.url, schema: 'finders_test' });
      finders.observe(replica.pool);
      await replica.query({ text, values: [organizationId, noteId] });
      await replica.pool.end();
      expect(finders.size).toBe(1);
      await expect(finders.prove()).rejects.toThrow('a foreign organization reads');
    });
  });

  it('statements that write are not checked', async () => {
    const values = [organizationId];
    await onPool(async (db, finders) => {
      await db.query({ text: "update notes set body = '' where organization_id = $1", values });
      await db.query({ text: 'with a as (delete from notes where organization_id = $1) select 1', values });
      expect(finders.size).toBe(0);
    });
  });
});

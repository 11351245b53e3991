import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tenantStatements } from '@parley/testing';

/** Statements of background work for all organizations, and of look-ups of a record's owner. */
const exempt = /\.cross-tenant\.sql\.ts$/;

describe('SQL statements on tenant tables', () => {
  const { tables, statements } = tenantStatements(path.resolve(__dirname, '..'));

  it('are found by this test', () => {
    expect(tables).toEqual(
      expect.arrayContaining([
        'numbers',
        'calls',
        'jobs',
        'job_reports',
        'organization_queues',
        'organization_controls',
        'transcripts',
        'idempotency',
      ]),
    );
    expect(statements.length).toBeGreaterThanOrEqual(25);
  });

  it.each(
    statements.map(
      ({ file, text, namesOrganization }) => [file, text.replace(/\s+/g, ' ').slice(0, 60), namesOrganization] as const,
    ),
  )('%s: %s contains organization_id, or is in a cross-tenant file', (file, _start, namesOrganization) => {
    expect(exempt.test(file) || namesOrganization).toBe(true);
  });

  // Statements that settle rows in bulk may use window functions, because they return no page of a list.
  it('do not use window functions, except in message-settlements', () => {
    const windowed = statements.filter(({ file, text }) => !exempt.test(file) && /\bover\s*\(/i.test(text));
    expect(windowed.map(({ file }) => file)).toEqual(['books/wallet/message-settlements.sql.ts']);
  });
});

describe('tables', () => {
  const source = __dirname;
  const schema = readFileSync(path.resolve(source, '../schema.sql'), 'utf8');
  const tables = new Set([...schema.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, name]) => name));
  /** `on conflict … do update set` and `for update of` name no table here. */
  const writes =
    /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\s+(\w+)|\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi;
  /** Statements that write tables of several halls on purpose. They stand in books, in files that begin with the reason. */
  const spans = /^\/\/ Spans halls: /m;
  const writers = new Map<string, Set<string>>();
  for (const file of globSync('*/**/*.ts', { cwd: source })) {
    const text = readFileSync(path.join(source, file), 'utf8');
    const [hall = ''] = file.split(path.sep);
    if (/\.test\.ts$/.test(file) || (hall === 'books' && spans.test(text))) continue;
    for (const [, into, updated] of text.matchAll(writes)) {
      const table = into ?? updated ?? '';
      if (tables.has(table)) writers.set(table, (writers.get(table) ?? new Set()).add(hall));
    }
  }

  it('are found by this test', () => {
    expect(writers.size).toBeGreaterThan(50);
  });

  it.each([...tables].map(String))('%s is written by one hall', (table) => {
    expect(writers.get(table)?.size ?? 0).toBeLessThanOrEqual(1);
  });
});

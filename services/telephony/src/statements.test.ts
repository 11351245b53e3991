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
    expect(windowed.map(({ file }) => file)).toEqual(['messages/message-settlements.sql.ts']);
  });
});

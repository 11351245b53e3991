import path from 'node:path';
import { tenantStatements } from '@parley/testing';

/** Background work over every organization, and lookups of a record's owner. */
const exempt = /\.cross-tenant\.sql\.ts$/;

describe('every statement over a tenant table names organization_id', () => {
  const { tables, statements } = tenantStatements(path.resolve(__dirname, '..'));

  it('finds the tables and the statements', () => {
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
  )('%s: %s', (file, _start, namesOrganization) => {
    expect(exempt.test(file) || namesOrganization).toBe(true);
  });

  // A statement that settles rows in bulk does not read a list.
  it('reads no list of an organization with a window function, which costs more than the page itself', () => {
    const windowed = statements.filter(({ file, text }) => !exempt.test(file) && /\bover\s*\(/i.test(text));
    expect(windowed.map(({ file }) => file)).toEqual(['messages/message-settlements.sql.ts']);
  });
});

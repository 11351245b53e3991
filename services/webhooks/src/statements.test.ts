import path from 'node:path';
import { tenantStatements } from '@parley/testing';

/** Exempt: background tasks for all organizations, and queries for a record's owner. */
const exempt = /\.cross-tenant\.sql\.ts$/;

describe('SQL statements over tenant tables contain organization_id', () => {
  const { tables, statements } = tenantStatements(path.resolve(__dirname, '..'));

  it('the search finds the tables and the statements', () => {
    expect(tables).toEqual(
      expect.arrayContaining([
        'endpoints',
        'endpoint_secrets',
        'events',
        'deliveries',
        'endpoint_queues',
        'attempts',
        'idempotency',
      ]),
    );
    expect(statements.length).toBeGreaterThanOrEqual(20);
  });

  it.each(
    statements.map(
      ({ file, text, namesOrganization }) => [file, text.replace(/\s+/g, ' ').slice(0, 60), namesOrganization] as const,
    ),
  )('%s: %s', (file, _start, namesOrganization) => {
    expect(exempt.test(file) || namesOrganization).toBe(true);
  });

  it('lists of one organization use no window functions, which cost more than the page itself', () => {
    const windowed = statements.filter(({ file, text }) => !exempt.test(file) && /\bover\s*\(/i.test(text));
    expect(windowed.map(({ file }) => file)).toEqual([]);
  });
});

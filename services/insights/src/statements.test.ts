import path from 'node:path';
import { tenantStatements } from '@parley/testing';

/** Statements of background tasks over all organizations. */
const exempt = /\.cross-tenant\.sql\.ts$/;

describe('every SQL statement over a tenant table has a condition on organization_id', () => {
  const { tables, statements } = tenantStatements(path.resolve(__dirname, '..'));

  it('finds the tables and the statements', () => {
    expect(tables).toEqual(
      expect.arrayContaining(['extraction_configurations', 'extraction_jobs', 'extraction_reruns', 'idempotency']),
    );
    expect(statements.length).toBeGreaterThanOrEqual(10);
  });

  it.each(
    statements.map(
      ({ file, text, namesOrganization }) => [file, text.replace(/\s+/g, ' ').slice(0, 60), namesOrganization] as const,
    ),
  )('%s: %s', (file, _start, namesOrganization) => {
    expect(exempt.test(file) || namesOrganization).toBe(true);
  });
});

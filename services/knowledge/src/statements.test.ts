import path from 'node:path';
import { tenantStatements } from '@parley/testing';

/** Statements of background tasks over all organizations, and look-ups of a record's owner. */
const exempt = /\.cross-tenant\.sql\.ts$/;

describe('every SQL statement over a tenant table has a condition on organization_id', () => {
  const { tables, statements } = tenantStatements(path.resolve(__dirname, '..'));

  it('finds the tables and the statements', () => {
    expect(tables).toEqual(
      expect.arrayContaining([
        ...['knowledge_bases', 'documents', 'document_contents', 'chunks', 'postings', 'removed_documents'],
        ...['embeddings', 'embedding_jobs'],
        'idempotency',
      ]),
    );
    expect(statements.length).toBeGreaterThanOrEqual(35);
  });

  it.each(
    statements.map(
      ({ file, text, namesOrganization }) => [file, text.replace(/\s+/g, ' ').slice(0, 60), namesOrganization] as const,
    ),
  )('%s: %s', (file, _start, namesOrganization) => {
    expect(exempt.test(file) || namesOrganization).toBe(true);
  });
});

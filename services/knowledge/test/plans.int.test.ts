import path from 'node:path';
import { genericPlanTests } from '@parley/testing';

/** Functions with SQL whose statements do not use index conditions only, each with its accepted plan. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'documents/due-documents.cross-tenant.nextRemoved': ['whole removed_documents_age'],
};

/** Indexes that are read from one end, each with a reason. */
const read = { 'whole removed_documents_age': 'the oldest is asked for, and whatever is removed is taken out of it' };

/** Exported functions that are not statements by themselves. */
const others: readonly string[] = [
  ...['bases/bases.baseView', 'documents/documents.documentView'],
  // They name types of pgvector, which the server of these tests need not have.
  ...['search/vectors.searchVectors', 'search/vectors.compareVectors'],
];

describe('cached query plans that were made while every table was empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'knowledge', expected, others, read });

  it.each(Object.keys(expected))('%s uses the expected index when the tables are full', goesAsExpected);
});

import path from 'node:path';
import { genericPlanTests } from '@parley/testing';

const expected: Readonly<Record<string, readonly string[]>> = {
  'extraction/jobs.cross-tenant.rerunsToList': ['whole extraction_reruns_to_list'],
};

/** Indexes that are read completely or from one end, each with a reason. */
const read: Readonly<Record<string, string>> = {
  'whole extraction_reruns_to_list': 'reruns whose calls are being found: a few at most',
};

describe('cached query plans that were made while every table was empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'insights', expected, others: [], read });

  it.each(Object.keys(expected))('%s uses the expected index when the tables are full', goesAsExpected);
});

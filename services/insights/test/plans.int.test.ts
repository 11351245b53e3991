import path from 'node:path';
import { genericPlanTests } from '@parley/testing';

const expected: Readonly<Record<string, readonly string[]>> = {
  'extraction/jobs.cross-tenant.rerunsToList': ['whole extraction_reruns_to_list'],
};

/** Read whole, or from one end, with a reason. */
const read: Readonly<Record<string, string>> = {
  'whole extraction_reruns_to_list': 'reruns whose calls are being found: a few at most',
};

describe('plans that are kept, made while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'insights', expected, others: [], read });

  it.each(Object.keys(expected))('%s goes by the index that fits when the tables are full', goesAsExpected);
});

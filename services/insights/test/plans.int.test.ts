import path from 'node:path';
import { genericPlanTests } from '@parley/testing';

const expected: Readonly<Record<string, readonly string[]>> = {
  'dead-letters/dead-letters.cross-tenant.deleteOldDeadLetters': ['every row of dead_letters'],
  'extraction/jobs.cross-tenant.rerunsToList': ['whole extraction_reruns_to_list'],
  'simulations/jobs.cross-tenant.abandonedSpokenJobs': [
    'every row of simulation_spoken_offers',
    'simulation_jobs_due by due_at',
  ],
  'simulations/jobs.cross-tenant.currentOffers': ['every row of simulation_spoken_offers'],
  'simulations/jobs.cross-tenant.noteOffers': ['every row of simulation_spoken_offers'],
};

/** Indexes that are read completely or from one end, each with a reason. */
const read: Readonly<Record<string, string>> = {
  'every row of dead_letters': 'events that could not be handled: none as a rule; read once an hour',
  'every row of simulation_spoken_offers': 'one row for each different offer of workers, a few at most',
  'whole extraction_reruns_to_list': 'reruns whose calls are being found: a few at most',
};

describe('cached query plans that were made while every table was empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'insights', expected, others: [], read });

  it.each(Object.keys(expected))('%s uses the expected index when the tables are full', goesAsExpected);
});

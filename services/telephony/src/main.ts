/**
 * telephony: numbers, calls, messages, campaigns, recordings, policy, the wallet and the queue of call jobs. Each kind of record has one transition table; a
 * transition and its event are written in the same transaction, and the organization's counter row is locked last. Good starting points: `handlers.ts`,
 * `intake/admission/create-call.ts` and `dispatch/worker-jobs/report-job.ts`.
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { TelephonyConfig } from './config';

runService({
  name: 'telephony',
  config: TelephonyConfig,
  build,
  schemaFile: join(__dirname, '..', 'schema.sql'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

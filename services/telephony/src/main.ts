/**
 * telephony: numbers, calls, messages, campaigns, recordings, policy, the wallet and the queue of call jobs. One transition table per record, every transition one
 * event in the same transaction; the organization's contended row is locked last. Start at `handlers.ts`, `admission/create-call.ts` and `worker-jobs/report-job.ts`.
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { TelephonyConfig } from './config';

runService({
  name: 'telephony',
  config: TelephonyConfig,
  build,
  migrations: join(__dirname, '..', 'migrations'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

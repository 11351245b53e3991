/**
 * webhooks: agent endpoints, the event log, and signed deliveries with retries that no slow endpoint delays for others. It consumes every event once into the log and
 * attempts deliveries from timers in PostgreSQL. Start at `events/consume-events.ts` and `deliveries/dispatcher.ts`.
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { WebhooksConfig } from './config';

runService({ name: 'webhooks', config: WebhooksConfig, build, migrations: join(__dirname, '../migrations') }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

/**
 * webhooks: agent endpoints, the event log, and signed deliveries with retries, in which a slow endpoint does not delay others. It stores every event once in
 * the log, and schedules delivery attempts in PostgreSQL. Good starting points: `events/consume-events.ts` and `deliveries/dispatcher.ts`.
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { WebhooksConfig } from './config';

runService({ name: 'webhooks', config: WebhooksConfig, build, schemaFile: join(__dirname, '../schema.sql') }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

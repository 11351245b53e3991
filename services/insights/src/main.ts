/**
 * insights: data extracted from calls, its reruns, and simulations. It consumes the events of calls and asks language models; it never changes a call. Good
 * starting points: `extraction/index.ts` and `simulations/index.ts`.
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { InsightsConfig } from './config';

runService({ name: 'insights', config: InsightsConfig, build, schemaFile: join(__dirname, '../schema.sql') }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

/**
 * agents: agents and their whole configuration (voice stacks, tools, workflows, variables, templates, connections) and the pointer to what is published. The write of
 * pointer and version in this service is the only commit point of a publication. Start at `handlers.ts` (public routes) and `agents-service.ts` (what telephony asks).
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { AgentsConfig } from './config';

runService({ name: 'agents', config: AgentsConfig, build, migrations: join(__dirname, '../migrations') }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

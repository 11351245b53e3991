/**
 * agents: agents and their whole configuration (voice stacks, tools, workflows, variables, templates, connections), and the pointer to the current publication.
 * The write of that pointer and its version is the only commit point of a publication. Start reading at `handlers.ts` (public routes) and `agents-service.ts`
 * (requests of telephony).
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { AgentsConfig } from './config';

runService({ name: 'agents', config: AgentsConfig, build, schemaFile: join(__dirname, '../schema.sql') }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

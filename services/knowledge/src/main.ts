/**
 * knowledge: knowledge bases, their documents, and the search in them. Each document is read in a process of its own, with limits of time and memory, because
 * customers choose its content. Good starting points: `handlers.ts` (public routes) and `knowledge-service.ts` (RPCs).
 */
import path from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { KnowledgeConfig } from './config';

runService({
  name: 'knowledge',
  config: KnowledgeConfig,
  build,
  schemaFile: path.join(__dirname, '../schema.sql'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

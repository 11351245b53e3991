import path from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { KnowledgeConfig } from './config';

runService({
  name: 'knowledge',
  config: KnowledgeConfig,
  build,
  migrations: path.join(__dirname, '../migrations'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

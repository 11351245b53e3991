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

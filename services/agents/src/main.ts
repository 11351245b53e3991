import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { AgentsConfig } from './config';

void runService({ name: 'agents', config: AgentsConfig, build, migrations: join(__dirname, '..', 'migrations') });

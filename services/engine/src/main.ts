import { runService } from '@parley/runtime';
import { build } from './build';
import { EngineConfig } from './config';

runService({ name: 'engine', config: EngineConfig, build }).catch(() => process.exit(1));

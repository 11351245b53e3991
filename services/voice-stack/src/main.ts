import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { VoiceStackConfig } from './config';

runService({
  name: 'voice-stack',
  config: VoiceStackConfig,
  build,
  migrations: join(__dirname, '../migrations'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

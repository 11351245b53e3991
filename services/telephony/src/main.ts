import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { TelephonyConfig } from './config';

runService({
  name: 'telephony',
  config: TelephonyConfig,
  build,
  migrations: join(__dirname, '..', 'migrations'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

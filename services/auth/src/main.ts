import path from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { mintPlatformKeyCommand } from './mint-platform-key-command';
import { AuthConfig } from './config';

runService({
  name: 'auth',
  config: AuthConfig,
  build,
  migrations: path.join(__dirname, '../migrations'),
  commands: { 'mint-platform-key': mintPlatformKeyCommand },
}).catch(() => process.exit(1));

/**
 * auth: organizations, projects, keys, tokens, credentials of providers, the control state that every replica polls, and the audit log. The gateway requests
 * each unknown key once; everything that has to apply within a second goes through `control-state/`. Start reading at `handlers.ts` and `auth-service.ts`.
 */
import path from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { mintPlatformKeyCommand } from './mint-platform-key-command';
import { AuthConfig } from './config';

runService({
  name: 'auth',
  config: AuthConfig,
  build,
  schemaFile: path.join(__dirname, '../schema.sql'),
  commands: { 'mint-platform-key': mintPlatformKeyCommand },
}).catch(() => process.exit(1));

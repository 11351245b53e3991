/**
 * voice-stack: the catalogue of providers and voices, the compilation of voice stacks, immutable publications identified by the hash of their content, and
 * voice previews. Each provider is one folder in `providers/`. This service does not decide what an agent uses; the agents service does.
 */
import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { VoiceStackConfig } from './config';

runService({
  name: 'voice-stack',
  config: VoiceStackConfig,
  build,
  schemaFile: join(__dirname, '../schema.sql'),
}).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

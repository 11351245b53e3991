import { runService } from '@parley/runtime';
import { build } from './build';
import { EngineConfig } from './config';

runService({
  name: 'engine',
  config: EngineConfig,
  build,
  // A worker that reaches the gateway as any client does has no certificate.
  needsIdentity: ({ gatewayTls }) => gatewayTls === 'internal',
}).catch(() => process.exit(1));

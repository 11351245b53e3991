import { runService } from '@parley/runtime';
import { build } from './build';
import { ConsoleConfig } from './config';

runService({
  name: 'console',
  config: ConsoleConfig,
  build,
  // A console that reaches the gateway by its public address has no certificate.
  needsIdentity: ({ gatewayTls }) => gatewayTls === 'internal',
}).catch(() => process.exit(1));

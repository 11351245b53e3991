import { runService } from '@parley/runtime';
import { build } from './build';
import { GatewayConfig } from './config';

runService({ name: 'gateway', config: GatewayConfig, build }).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

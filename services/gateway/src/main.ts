/**
 * gateway: the REST and MCP edge. It authenticates, limits, checks scopes and maintenance, and forwards what `libs/contract` declares; it owns no data. A route
 * that a declaration can describe needs no code here. Start at `http/app.ts` (order of the checks) and `routes/forward.ts`.
 */
import { runService } from '@parley/runtime';
import { build } from './build';
import { GatewayConfig } from './config';

runService({ name: 'gateway', config: GatewayConfig, build }).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

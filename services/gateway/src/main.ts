/**
 * gateway: the REST and MCP edge. It authenticates, limits, checks scopes and maintenance, and forwards the requests of the routes that `libs/contract`
 * declares; it owns no data. A route that a declaration fully describes needs no code here. Good starting points: `http/app.ts` (order of the checks) and
 * `routes/forward.ts`.
 */
import { runService } from '@parley/runtime';
import { build } from './build';
import { GatewayConfig } from './config';

runService({ name: 'gateway', config: GatewayConfig, build }).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

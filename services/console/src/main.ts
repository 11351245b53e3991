/**
 * console: serves the web pages of the console and proxies the requests of signed-in browsers to the public API. It owns no data: a session is an encrypted
 * cookie, and everything that a page shows comes from public routes. Good starting points: `site/site-router.ts` and `upstream/proxy-router.ts`.
 */
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

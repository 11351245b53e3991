/**
 * engine: a worker that conducts calls. It owns no data and uses only the public worker routes of the platform. `core/` decides and does no I/O, `session/`
 * performs, `lines/` and `media/` transport audio, `worker/` claims and reports. Keep promises, clocks and network out of `core/`.
 */
import { runService } from '@parley/runtime';
import { build } from './build';
import { EngineConfig } from './config';

runService({
  name: 'engine',
  config: EngineConfig,
  build,
  // A worker that reaches the gateway by its public address has no certificate.
  needsIdentity: ({ gatewayTls }) => gatewayTls === 'internal',
}).catch(() => process.exit(1));

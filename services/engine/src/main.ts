/**
 * engine: a worker that conducts calls. It owns no data and uses only the public worker routes of the platform. `core/` makes decisions and does no I/O,
 * `session/` performs them, `lines/` and `media/` transport audio, `worker/` claims jobs and reports. Keep promises, clocks and network out of `core/`.
 */
import { runService } from '@parley/runtime';
import { build } from './build';
import { EngineConfig } from './config';
import { letHeapGrow } from './media/heap';
import { raisePriority } from './media/priority';

letHeapGrow();
raisePriority();

runService({
  name: 'engine',
  config: EngineConfig,
  build,
  // A worker that connects to the gateway's public address has no certificate.
  needsIdentity: ({ gatewayTls }) => gatewayTls === 'internal',
}).catch(() => process.exit(1));

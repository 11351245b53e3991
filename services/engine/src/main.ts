/**
 * engine: a worker that conducts calls. It owns no data and uses only the public worker routes of the platform. `core/` makes decisions and does no I/O,
 * `session/` performs them, `lines/` and `media/` transport audio, `worker/` claims jobs and reports. Keep promises, clocks and network out of `core/`.
 */
import { setFlagsFromString } from 'node:v8';
import { runService } from '@parley/runtime';
import { build } from './build';
import { EngineConfig } from './config';

// By default V8 collects the whole heap after every 10 MB: for 20 calls every two seconds, each time with pauses of 15 to 45 ms and all its threads, which every
// caller hears as a late reply. Now the heap may grow to four times what is in use, about 200 MB.
setFlagsFromString('--heap-growing-percent=300');

runService({
  name: 'engine',
  config: EngineConfig,
  build,
  // A worker that connects to the gateway's public address has no certificate.
  needsIdentity: ({ gatewayTls }) => gatewayTls === 'internal',
}).catch(() => process.exit(1));

import { parentPort } from 'node:worker_threads';
import { Lateness } from './lateness';
import { Pacer } from './pacer';

/** The measurement that this thread reports each second. */
export interface BareLateness {
  /** The 99th percentile of the last 10 s, in ms. */
  readonly lateMs: number;
}

const lateness = new Lateness();
new Pacer({ everyMs: 20, step: () => undefined, late: (ms) => lateness.note(ms) }).start();
setInterval(() => parentPort?.postMessage({ lateMs: lateness.p99() } satisfies BareLateness), 1_000);

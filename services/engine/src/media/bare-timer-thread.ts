import { parentPort } from 'node:worker_threads';
import { Lateness } from './lateness';
import { Pacer } from './pacer';

const lateness = new Lateness();
new Pacer({ everyMs: 20, step: () => undefined, late: (ms) => lateness.note(ms) }).start();
setInterval(() => parentPort?.postMessage(lateness.p99()), 1_000);

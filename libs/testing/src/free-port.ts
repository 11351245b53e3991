import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what `npm start` and kernels hand out, and a range of its own for each of the runner's processes. */
const ports = 1_000;
const lowest = 10_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % 8) * ports;
/** One after the other, from anywhere: a port that was handed out may have no listener yet, or none while its server is killed. */
let next = randomInt(ports);

/**
 * A port of the loopback address for a process that must be given one, and again after its restart. It lies out of the
 * range from which kernels take the near end of outgoing connections: a client's socket could have it by then.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % ports;
    const server = createServer().listen({ port: lowest + next, host: '127.0.0.1', exclusive: true });
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (address !== null && typeof address === 'object') return address.port;
  }
}

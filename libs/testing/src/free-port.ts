import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range lies below the ports that `npm start` and kernels assign; each of Jest's processes has a separate one. */
const ports = 1_000;
const lowest = 10_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % 8) * ports;
/**
 * Ports are tried one after another from a random start, because a port that was returned earlier may have no listener at the moment: its server may not have
 * started yet, or was killed.
 */
let next = randomInt(ports);

/**
 * A free port of the loopback address for a process that needs a fixed port, also after a restart. It is outside the range from which kernels assign ports to
 * outgoing connections, because otherwise a client's socket could take it in the meantime.
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

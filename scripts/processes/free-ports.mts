/**
 * Ports for private servers and services: random, free on the loopback now, and below the ranges from which kernels take
 * the near end of outgoing connections. A port out of those ranges could be taken by a client's socket between the death
 * of a process and its restart on the same port.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowest = 18_000;
const highest = 32_000;
const given = new Set<number>();

/** True when nothing listens on `host:port` and this process may. Without a host: on every address. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** A port that nobody listens on and that was not handed out before by this process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`no free port between ${lowest} and ${highest}`);
}

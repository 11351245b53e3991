/**
 * Ports for private servers and services: below the ranges from which kernels take the near end of outgoing connections,
 * where a client's socket could take a port between the death of a process and its restart on the same port; and out of a
 * block that this process alone hands out, for two platforms that start at once would otherwise find the same port free.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowest = 18_000;
const blocks = 140;
const blockSize = 100;
let handing: { block: Promise<number>; given: number } | undefined;

/** True when nothing listens on `host:port` and this process may. Without a host: on every address. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** A port that no one listens on and that neither this process nor another one that asks here hands out again. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < blocks * blockSize; attempt += 1) {
    if (handing?.given !== undefined && handing.given < blockSize) handing.given += 1;
    else handing = { block: takeBlock(), given: 2 };
    const offset = handing.given - 1;
    const port = (await handing.block) + offset;
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`no free port from ${lowest} to ${lowest + blocks * blockSize - 1}`);
}

/** The first port of a block is its lock: this process listens on it until it ends, however it ends. */
async function takeBlock(): Promise<number> {
  const start = randomInt(blocks);
  for (let index = 0; index < blocks; index += 1) {
    const port = lowest + ((start + index) % blocks) * blockSize;
    if (await hold(port)) return port;
  }
  throw new Error(`every block of ports from ${lowest} is taken`);
}

function hold(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const lock = createServer((socket) => socket.destroy()).unref();
    lock.once('error', () => resolve(false));
    lock.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

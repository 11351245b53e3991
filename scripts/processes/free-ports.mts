/**
 * Allocates ports for private servers and services. They are below the range that kernels use for outgoing connections, because a client's socket could
 * otherwise take a port while its process is being restarted. They are also taken from a block that only this process uses, because two platforms that start at
 * the same time would otherwise find the same port free.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowest = 18_000;
const blocks = 140;
const blockSize = 100;
let handing: { block: Promise<number>; given: number } | undefined;

/** Whether this process can listen on `host:port` because nothing else does. Without a host: on all addresses. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Returns a port on which nothing listens, and which neither this process nor another one that uses this function gets again. */
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

/** The first port of a block is its lock: this process listens on it until it ends for any reason. */
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

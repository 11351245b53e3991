import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reports the port of a bench server to the parent process. */
export function listening(server: Server): void {
  server.on('listening', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
}

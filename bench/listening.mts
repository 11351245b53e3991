import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends the parent the port of a bench server. */
export function listening(server: Server): void {
  server.on('listening', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
}

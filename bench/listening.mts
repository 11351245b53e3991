import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Tells the parent on which port a bench server listens. */
export function listening(server: Server): void {
  server.on('listening', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
}

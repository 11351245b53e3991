import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { startedRequestContext } from './request-context';

/** Serves a WebSocket connection until it is closed. */
export type ServeWebSocket = (socket: WebSocket) => void;

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<ServerResponse, Upgrade>();

/** The maximum payload is small, because listeners send no messages. */
const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false });

/** Whether the request asks for a WebSocket. Other upgrade protocols are ignored: such a request gets a normal response. */
export const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/** Passes a WebSocket request through the application like any other request, so that refusals have the usual error format. */
export function takeUpgrades(server: Server, Response: new (request: IncomingMessage) => ServerResponse): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const response = new Response(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    upgrades.set(response, { socket, head });
    server.emit('request', request, response);
  });
}

export const isUpgrade = (response: ServerResponse): boolean => upgrades.has(response);

/** Upgrades the connection of an accepted request. The response is closed together with the connection. */
export function acceptWebSocket(request: IncomingMessage, response: ServerResponse, serve: ServeWebSocket): void {
  const upgrade = upgrades.get(response);
  if (upgrade === undefined) throw new Error('the request is not a WebSocket upgrade');
  const { socket, head } = upgrade;
  const exchange = startedRequestContext(response);
  if (exchange !== undefined) exchange.switched = true;
  response.detachSocket(socket as Socket);
  socket.once('close', () => response.emit('close'));
  if (socket.destroyed) response.emit('close');
  sockets.handleUpgrade(request, socket, head, serve);
}

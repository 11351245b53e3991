import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** How a provider can fail. */
export const faults = [
  'unauthorized',
  'rate_limited',
  'server_error',
  'socket_closed',
  'stall_before_first',
  'stall_midway',
  'garbage',
] as const;
export type Fault = (typeof faults)[number];

export const serverKey = 'key-of-the-test-8c1f';
export const retryAfterSeconds = 2;

/** What a server does with one request. */
export interface Answering {
  readonly request: IncomingMessage;
  readonly url: URL;
  /** Fault to simulate for this request. The protocol server itself must produce mid-stream faults. */
  readonly fault: Fault | undefined;
  /** The request breaks the documented protocol. */
  reportViolation(what: string): void;
}

/** Replaces a piece of what the server writes: of a body or a message. */
export type Mangle = (piece: string | Buffer) => string | Buffer;

export interface ProviderServerOptions {
  /** The header that must carry the key, and what is in front of it. */
  readonly auth: { readonly header: string; readonly prefix?: string };
  readonly http?: (answering: Answering, body: Buffer, response: ServerResponse) => void;
  readonly websocket?: (answering: Answering, socket: WebSocket) => void;
}

/** A local server of one provider's documented protocol: strict about requests, and able to fail. */
export class ProviderServer {
  readonly sockets = new Set<Socket>();
  readonly violations: string[] = [];
  /** Addresses, bodies and messages, in their order. */
  readonly received: string[] = [];
  requests = 0;
  /** Set while the server is hostile: what it writes breaks the protocol, and so may what it is asked. */
  mangle: Mangle | undefined;
  private readonly server: Server;
  private readonly upgrades = new WebSocketServer({ noServer: true });
  /** Faults of the next requests; the last entry applies to all later ones. */
  private plan: (Fault | undefined)[] = [undefined];

  constructor(private readonly options: ProviderServerOptions) {
    this.server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => this.answer(request, Buffer.concat(pieces), response));
    });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => {});
    });
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket as Socket, head));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  fail(...plan: (Fault | undefined)[]): void {
    this.plan = plan;
    this.requests = 0;
    this.violations.length = 0;
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answering(request: IncomingMessage): Answering {
    this.requests += 1;
    const fault = this.plan.length > 1 ? this.plan.shift() : this.plan[0];
    const url = new URL(request.url ?? '/', 'http://provider');
    this.received.push(request.url ?? '');
    return { request, url, fault, reportViolation: (what) => this.violations.push(`${url.pathname}: ${what}`) };
  }

  private statusOf({ request, fault }: Answering): number {
    const { header, prefix = '' } = this.options.auth;
    if (fault === 'unauthorized' || request.headers[header] !== `${prefix}${serverKey}`) return 401;
    return fault === 'rate_limited' ? 429 : fault === 'server_error' ? 503 : 200;
  }

  private answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const answering = this.answering(request);
    const status = this.statusOf(answering);
    if (status !== 200) {
      response.writeHead(status, headersOf(status));
      return void response.end(JSON.stringify({ error: { type: 'of_the_test', message: `refused ${serverKey}` } }));
    }
    this.received.push(body.toString('latin1'));
    const { mangle } = this;
    if (mangle !== undefined) mangleBody(response, mangle);
    if (answering.fault === 'stall_before_first') return;
    if (this.options.http !== undefined) return this.options.http(answering, body, response);
    response.writeHead(404).end();
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const answering = this.answering(request);
    const { websocket } = this.options;
    const status = websocket === undefined ? 404 : this.statusOf(answering);
    if (status !== 200) {
      const headers = Object.entries(headersOf(status)).map(([name, value]) => `${name}: ${value}\r\n`);
      return void socket.end(`HTTP/1.1 ${status} Refused\r\n${headers.join('')}connection: close\r\n\r\n`);
    }
    // The socket's end event fires only while reading, and half-open sockets must be closed explicitly.
    if (answering.fault === 'stall_before_first') return void socket.on('end', () => socket.destroy()).resume();
    this.upgrades.handleUpgrade(request, socket, head, (upgraded) => {
      upgraded.on('error', () => {});
      const { mangle } = this;
      if (mangle !== undefined) {
        const send = upgraded.send.bind(upgraded);
        upgraded.send = (data: string | Buffer) => send(mangle(data));
      }
      upgraded.on('message', (data, binary) => {
        if (!binary) this.received.push((data as Buffer).toString());
      });
      websocket?.(answering, upgraded);
    });
  }
}

function mangleBody(response: ServerResponse, mangle: Mangle): void {
  const [write, end] = [response.write.bind(response), response.end.bind(response)];
  response.write = (piece: string | Buffer) => write(mangle(piece));
  response.end = (piece?: unknown) =>
    typeof piece === 'string' || Buffer.isBuffer(piece) ? end(mangle(piece)) : end();
}

const headersOf = (status: number): Record<string, string> => ({
  'content-type': 'application/json',
  ...(status === 429 && { 'retry-after': String(retryAfterSeconds) }),
});

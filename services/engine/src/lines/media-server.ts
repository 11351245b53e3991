import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Background, Logger } from '@parley/runtime';
import { WebSocketServer, type WebSocket } from 'ws';
import { mostTextBytes } from './browser';

const audioProtocol = 'parley.audio.v1';
/** The websocket subprotocol that Asterisk requests. */
const asteriskProtocol = 'media';
const tokenProtocol = 'parley.token.';
/** Maximum number of connections that have not sent their token yet; beyond it the oldest one is ended. A carrier sends it in its first messages. */
const mostWaiting = 1_000;
/** The last segment of the path for browsers, below the public media address. */
const browser = 'browser';

export interface MediaServerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Allowed origins, such as https://console.example.com. Clients other than browsers send no Origin. */
  readonly origins: readonly string[];
  readonly log: Logger;
  /** Whether another call can be accepted now. */
  hasRoom(): boolean;
  /**
   * Accepts an open, paused connection.
   * @param token as sent; empty if none was sent
   */
  connected(socket: WebSocket, token: string): void;
  /**
   * Accepts streams of carriers, which send their token later: `onToken` is to be called then. The key is the name at the end of their path. Default: none.
   */
  readonly streams?: ReadonlyMap<string, (socket: WebSocket, onToken: () => void, query: URLSearchParams) => void>;
}

/** The server for media connections, which reach it directly and not through the gateway. Addresses are not logged, because they may contain a token. */
export class MediaServer implements Background {
  readonly name = 'media server';
  private readonly server: Server;
  private readonly sockets: WebSocketServer;
  /** Connections that have not sent their token yet, the oldest first. */
  private readonly waiting = new Set<WebSocket>();

  constructor(private readonly options: MediaServerOptions) {
    this.server = createServer({ maxHeaderSize: 8 * 1024, headersTimeout: 10_000 }, (request, response) => {
      request.resume();
      // No request has a body that is of use, so none is awaited: the connection ends with the answer.
      const headers = { 'content-type': 'text/plain', upgrade: 'websocket', connection: 'close' };
      response.writeHead(426, headers).end('a websocket is expected\n');
    });
    this.sockets = new WebSocketServer({
      noServer: true,
      maxPayload: mostTextBytes,
      perMessageDeflate: false,
      handleProtocols: (offered) => [audioProtocol, asteriskProtocol].find((name) => offered.has(name)) ?? false,
    });
    this.server.on('upgrade', (request, socket, head) => this.takeUpgrade(request, socket, head));
  }

  /** The port that was bound. */
  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port, this.options.host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    this.options.log.info({ port: this.port }, 'accepting media connections');
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** An error of a client must affect only its own connection: an exception in this listener would end the process and all its calls. */
  private takeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A client that disconnects meanwhile is not an error.
    socket.on('error', () => socket.destroy());
    try {
      this.upgrade(request, socket, head);
    } catch (error) {
      this.options.log.error({ err: error }, 'a media connection could not be accepted');
      socket.destroy();
    }
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.refusalOf(request);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.pause();
      const takeStream = this.options.streams?.get(nameOf(request) ?? '');
      if (takeStream === undefined) return this.options.connected(opened, tokenOf(request));
      const onToken = this.awaitToken(opened);
      takeStream(opened, onToken, targetOf(request)?.searchParams ?? new URLSearchParams());
    });
  }

  /** @returns what to call once the connection has sent its token */
  private awaitToken(socket: WebSocket): () => void {
    const arrived = (): void => void this.waiting.delete(socket);
    socket.once('close', arrived);
    this.waiting.add(socket);
    const [oldest] = this.waiting;
    if (this.waiting.size > mostWaiting && oldest !== undefined) {
      this.waiting.delete(oldest);
      oldest.terminate();
    }
    return arrived;
  }

  /** The status line of a refusal. */
  private refusalOf(request: IncomingMessage): string | undefined {
    const target = targetOf(request);
    if (target === null) return '400 Bad Request';
    const name = nameOf(request) ?? '';
    if (name !== browser && this.options.streams?.has(name) !== true) return '404 Not Found';
    const { origin } = request.headers;
    if (origin !== undefined && !this.options.origins.includes(origin)) return '403 Forbidden';
    const offered = protocolsOf(request);
    const spoken = name === browser ? audioProtocol : asteriskProtocol;
    if (offered.length > 0 && !offered.includes(spoken)) return '400 Bad Request';
    return this.options.hasRoom() ? undefined : '503 Service Unavailable';
  }
}

/** @returns null if the request target cannot be parsed, such as `//` */
const targetOf = ({ url = '/' }: IncomingMessage): URL | null => URL.parse(url, 'http://engine');

const nameOf = (request: IncomingMessage): string | undefined => targetOf(request)?.pathname.split('/').at(-1);

const protocolsOf = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').flatMap((name) => name.trim() || []);

/** The token as a subprotocol, which browsers can send and which is not logged as part of an address; otherwise from the query. */
function tokenOf(request: IncomingMessage): string {
  const named = protocolsOf(request).find((name) => name.startsWith(tokenProtocol));
  return named?.slice(tokenProtocol.length) ?? targetOf(request)?.searchParams.get('token') ?? '';
}

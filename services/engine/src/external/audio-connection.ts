import type { Agent } from 'node:http';
import { signatureOf, signingKeyOf } from '@parley/service';
import { WebSocket, type RawData } from 'ws';
import { readServerMessage, StreamWriter, type ServerMessage, type StreamSubject } from './audio-messages';

export interface AudioServer {
  readonly url: string;
  /** Connects only to vetted addresses; undefined: to any address. */
  readonly agent: Agent | undefined;
  /** Empty: the connection is not signed. */
  readonly secrets: readonly string[];
}

export interface AudioConnectionOptions {
  readonly server: AudioServer;
  readonly subject: StreamSubject;
  readonly bounds: AudioBounds;
  readonly now: () => Date;
  readonly onMessage: (message: ServerMessage) => void;
  /** A connection was lost or failed, and is retried. */
  readonly onLost: (why: string) => void;
  /** Called once, as the last event: the server ended the stream, or was unreachable for too long. */
  readonly onOver: (end: 'closed' | 'lost') => void;
}

/** Milliseconds. */
export interface AudioBounds {
  readonly connectMs: number;
  /** If no pong arrives before the next ping, the connection is considered lost. */
  readonly pingMs: number;
  /** How long a call continues without its server, from the loss of the connection, or from the answer. */
  readonly awayMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

export const audioBounds: AudioBounds = {
  connectMs: 5_000,
  pingMs: 5_000,
  awayMs: 10_000,
  firstRetryMs: 200,
  longestRetryMs: 2_000,
};

/** Maximum size of a message in bytes: about 94 s of audio. */
const longestMessageBytes = 1024 * 1024;
/** Maximum unsent bytes, about 18 s of audio: a server that does not read is then considered lost. */
const mostUnsentBytes = 192 * 1024;
/** The caller's audio before the first connection opens is buffered up to this many bytes: 5 s. */
const mostEarlyBytes = 40_000;
/** Timeout of a close handshake. */
const closingMs = 1_000;
/** A handshake has no body: this payload is signed instead, because the Standard Webhooks libraries verify one. */
const signedBody = Buffer.from('{}');
/** Close codes with which a server ends the stream. Any other code, or a broken connection, is a loss. */
const endingCodes: ReadonlySet<number> = new Set([1000, 1005]);

/** The stream of one call to the customer's server. A lost connection is reopened as a new stream of the same call. */
export class AudioConnection {
  private socket: WebSocket | undefined;
  private writer: StreamWriter | undefined;
  private connections = 0;
  private over = false;
  private awaySince = performance.now();
  private retryMs: number;
  private retry: NodeJS.Timeout | undefined;
  private early: Buffer[] = [];
  private earlyBytes = 0;

  constructor(private readonly options: AudioConnectionOptions) {
    this.retryMs = options.bounds.firstRetryMs;
    this.connect();
  }

  /** Audio of the caller. It is dropped while no connection is open, except at the beginning of the call. */
  hear(muLaw: Buffer): void {
    if (this.writer !== undefined) return this.send(this.writer.media(muLaw));
    if (this.connections > 1 || this.over) return;
    this.early.push(muLaw);
    this.earlyBytes += muLaw.length;
    while (this.earlyBytes > mostEarlyBytes) this.earlyBytes -= this.early.shift()?.length ?? this.earlyBytes;
  }

  press(digits: string): void {
    for (const digit of digits) if (this.writer !== undefined) this.send(this.writer.dtmf(digit));
  }

  /** All audio before the mark was played or cleared. */
  mark(name: string): void {
    if (this.writer !== undefined) this.send(this.writer.mark(name));
  }

  /** Ends the stream because the call is over. */
  stop(): void {
    if (this.over) return;
    if (this.writer !== undefined) this.send(this.writer.stop());
    this.finish();
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return socket?.terminate();
    socket.close(1000);
    setTimeout(() => socket.terminate(), closingMs).unref();
  }

  /** Ends this connection as lost and tries another one. @param code the close code */
  lose(why: string, code?: number): void {
    const { socket } = this;
    if (this.over || socket === undefined) return;
    this.socket = undefined;
    if (code === undefined || socket.readyState !== WebSocket.OPEN) socket.terminate();
    else {
      socket.close(code);
      setTimeout(() => socket.terminate(), closingMs).unref();
    }
    if (this.writer !== undefined) this.awaySince = performance.now();
    this.writer = undefined;
    this.options.onLost(why);
    const { awayMs, longestRetryMs } = this.options.bounds;
    if (performance.now() + this.retryMs - this.awaySince > awayMs) return this.end('lost');
    this.retry = setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(longestRetryMs, this.retryMs * 2);
  }

  private connect(): void {
    const { server, bounds } = this.options;
    this.connections += 1;
    const { connections } = this;
    const socket = new WebSocket(server.url, {
      headers: this.headers(),
      agent: server.agent,
      handshakeTimeout: bounds.connectMs,
      maxPayload: longestMessageBytes,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.socket = socket;
    const ifOurs =
      <A extends unknown[]>(act: (...given: A) => void) =>
      (...given: A): void => {
        if (this.socket === socket && !this.over) act(...given);
      };
    socket.on(
      'open',
      ifOurs(() => this.opened(socket, connections)),
    );
    socket.on(
      'message',
      ifOurs((data: RawData, isBinary: boolean) => this.take(data, isBinary)),
    );
    socket.on(
      'unexpected-response',
      ifOurs((_request: unknown, { statusCode = 0 }) => this.lose(`HTTP ${statusCode}`)),
    );
    // Further errors of a lost socket are ignored.
    socket.on('error', (error: Error & { code?: string }) => {
      if (this.socket === socket) this.lose(`the connection failed or was lost (${error.code ?? 'unknown'})`);
    });
    socket.on(
      'close',
      ifOurs((code: number) => this.closed(code)),
    );
  }

  private headers(): Record<string, string> {
    const { server, subject, now } = this.options;
    const id = `${subject.callId}_${this.connections}`;
    const timestamp = Math.floor(now().getTime() / 1000);
    const keys = server.secrets.map(signingKeyOf);
    return {
      'user-agent': 'Parley-Audio/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(keys.length > 0 && { 'webhook-signature': signatureOf(keys, id, timestamp, signedBody) }),
    };
  }

  private opened(socket: WebSocket, connection: number): void {
    this.writer = new StreamWriter(this.options.subject, connection);
    this.retryMs = this.options.bounds.firstRetryMs;
    for (const message of this.writer.start()) this.send(message);
    for (const sound of this.early.splice(0)) this.hear(sound);
    this.keepAlive(socket);
  }

  /** A frozen server keeps its connection open. Only missing pongs reveal it. */
  private keepAlive(socket: WebSocket): void {
    let answered = true;
    socket.on('pong', () => (answered = true));
    const timer = setInterval(() => {
      if (this.socket !== socket || this.over) return clearInterval(timer);
      if (!answered) return this.lose('a ping was not answered');
      answered = false;
      socket.ping();
    }, this.options.bounds.pingMs);
    socket.on('close', () => clearInterval(timer));
  }

  private take(data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : readServerMessage((data as Buffer).toString('utf8'));
    if (message !== undefined) this.options.onMessage(message);
  }

  private closed(code: number): void {
    if (this.writer !== undefined && endingCodes.has(code)) return this.end('closed');
    this.lose(`closed with ${code}`);
  }

  private send(message: string): void {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > mostUnsentBytes) return this.lose('the server does not read');
    socket.send(message);
  }

  private end(how: 'closed' | 'lost'): void {
    this.finish();
    this.options.onOver(how);
  }

  private finish(): void {
    this.over = true;
    clearTimeout(this.retry);
    this.early = [];
    this.writer = undefined;
  }
}

/**
 * A media server for tests that replaces the engine: a websocket server on loopback with the protocol of chan_websocket. Records all events with their times.
 */
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';

/** The text messages of Asterisk, without fields that are not used here. */
export interface MediaEvent {
  at: number;
  event: string;
  correlation_id?: string;
  digit?: string;
}

/** Asterisk closes the connection, and so the call, after a message longer than 65,500 bytes. This is a multiple of the frame size in every format. */
const longestMessage = 64_000;
/** Milliseconds since 1970, as precise as the timestamps of packets. */
export const now = (): number => performance.timeOrigin + performance.now();

export class MediaCall {
  readonly id: string;
  readonly format: string;
  readonly frameBytes: number;
  readonly startedAt = now();
  readonly frames: { at: number; bytes: Buffer }[] = [];
  readonly events: MediaEvent[] = [];
  private readonly socket: WebSocket;
  private readonly arrivals = new EventEmitter();

  constructor(socket: WebSocket, id: string, start: { format: string; optimal_frame_size: number }) {
    this.socket = socket;
    this.id = id;
    this.format = start.format;
    this.frameBytes = start.optimal_frame_size;
    socket.on('close', () => this.arrivals.emit('event'));
  }

  take(message: Buffer, isBinary: boolean): void {
    const at = now();
    if (isBinary) this.frames.push({ at, bytes: message });
    else {
      this.events.push({ ...(JSON.parse(message.toString()) as MediaEvent), at });
      this.arrivals.emit('event');
    }
  }

  /** Sends audio in as few messages as possible; Asterisk sends it on in frames at the right times. @returns the time of sending */
  send(audio: Buffer): number {
    const at = now();
    for (let from = 0; from < audio.length; from += longestMessage) {
      this.socket.send(audio.subarray(from, from + longestMessage));
    }
    return at;
  }

  command(command: string, fields: Record<string, string> = {}): number {
    const at = now();
    this.socket.send(JSON.stringify({ command, ...fields }));
    return at;
  }

  find(event: string, correlation?: string): MediaEvent | undefined {
    return this.events.find((found) => found.event === event && found.correlation_id === correlation);
  }

  /** Waits for an event. @returns undefined after the timeout, or if the call is over */
  async event(event: string, correlation?: string, patienceMs = 10_000): Promise<MediaEvent | undefined> {
    const signal = AbortSignal.timeout(patienceMs);
    while (this.find(event, correlation) === undefined && this.isOpen && !signal.aborted) {
      await once(this.arrivals, 'event', { signal }).catch(() => undefined);
    }
    return this.find(event, correlation);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** @returns false if the call did not end in time */
  async ended(patienceMs: number): Promise<boolean> {
    const deadline = now() + patienceMs;
    while (this.isOpen && now() < deadline) await sleep(20);
    return !this.isOpen;
  }
}

export class MediaServer {
  private readonly server: WebSocketServer;
  private readonly calls = new EventEmitter();

  private constructor(server: WebSocketServer) {
    this.server = server;
    server.on('connection', (socket, request) => {
      const id = new URL(request.url ?? '/', 'ws://media').searchParams.get('call_id') ?? '';
      let call: MediaCall | undefined;
      socket.on('error', () => undefined);
      socket.on('message', (data: RawData, isBinary) => {
        const message = data as Buffer;
        if (call) call.take(message, isBinary);
        else if (!isBinary) {
          call = new MediaCall(
            socket,
            id,
            JSON.parse(message.toString()) as { format: string; optimal_frame_size: number },
          );
          this.calls.emit(id, call);
        }
      });
    });
  }

  static async start(): Promise<MediaServer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/media', perMessageDeflate: false });
    await once(server, 'listening');
    return new MediaServer(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/media`;
  }

  /** Waits for the call to this number, until Asterisk has reported how its audio is encoded. */
  async call(id: string, patienceMs: number): Promise<MediaCall> {
    const [call] = (await once(this.calls, id, { signal: AbortSignal.timeout(patienceMs) })) as [MediaCall];
    return call;
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

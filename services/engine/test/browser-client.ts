import { eventually } from '@parley/testing';
import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

export interface Connecting extends ClientOptions {
  readonly path?: string;
  readonly protocols?: readonly string[];
}

/** A client of `parley.audio.v1` that remembers what it was sent. */
export class BrowserClient {
  readonly messages: Record<string, unknown>[] = [];
  readonly audio: Buffer[] = [];
  /** The code of the close; undefined while it is open. */
  closed: number | undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) this.audio.push(data);
      else this.messages.push(JSON.parse(data.toString()) as Record<string, unknown>);
    });
    socket.on('close', (code) => (this.closed = code));
    socket.on('error', () => undefined);
  }

  /** @throws the HTTP status of a handshake that was refused */
  static async to(port: number, { path = '/browser', protocols = ['parley.audio.v1'], ...rest }: Connecting = {}) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], rest);
    const client = new BrowserClient(socket);
    const refused = new Promise<never>((_, reject) =>
      socket.on('unexpected-response', (request, { statusCode }) => {
        request.destroy();
        reject(new RefusedHandshake(statusCode ?? 0));
      }),
    );
    await Promise.race([once(socket, 'open'), refused]);
    return client;
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The types of its messages in order, as soon as there are so many. */
  typesOf(atLeast: number): Promise<unknown[]> {
    return eventually(() => (this.messages.length >= atLeast ? this.messages.map(({ type }) => type) : undefined));
  }

  closeCode(): Promise<number> {
    return eventually(() => this.closed);
  }
}

export class RefusedHandshake extends Error {
  constructor(readonly status: number) {
    super(`the handshake was refused with ${status}`);
  }
}

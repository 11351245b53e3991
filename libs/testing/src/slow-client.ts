import { once } from 'node:events';
import net from 'node:net';
import { eventually } from './eventually';

/** A client whose request does not end by itself. */
export class SlowClient {
  /** What was received so far. */
  received = '';
  private readonly closing: Promise<unknown>;

  private constructor(private readonly socket: net.Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    // A server that closes a connection with unread input may reset it after its response.
    socket.on('error', () => undefined);
    this.closing = once(socket, 'close');
  }

  /** @param head the request line and headers, one a line */
  static async send(url: string, head: readonly string[], body: string | Buffer = ''): Promise<SlowClient> {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    await once(socket, 'connect');
    const client = new SlowClient(socket);
    client.write([...head, '', ''].join('\r\n'));
    client.write(body);
    return client;
  }

  write(bytes: string | Buffer): void {
    if (bytes.length > 0) this.socket.write(bytes);
  }

  /** The status of the response, and its error. */
  answer(): Promise<[number, unknown]> {
    return eventually(() => {
      const end = this.received.indexOf('\r\n\r\n');
      const body = this.received.slice(end + 4);
      if (end === -1 || !body.endsWith('}')) return undefined;
      return [Number(this.received.split(' ')[1]), (JSON.parse(body) as { error: unknown }).error];
    });
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    await this.closing;
  }

  leave(): void {
    this.socket.destroy();
  }
}

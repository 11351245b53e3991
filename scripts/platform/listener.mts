/** The webhook listener of `npm start`, in place of a customer's system. It verifies each delivery and prints it. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { freePort, isPortFree } from '../processes/free-ports.mts';
import { clock } from './request-log.mts';

/** The envelope of an event (docs/reference/endpoints-and-events.md). */
export interface ReceivedEvent {
  id: string;
  type: string;
  resource_id: string;
  resource_seq: number;
  data: Record<string, unknown>;
}

export class Listener {
  readonly port: number;
  /** The secret of the endpoint; without it nothing can be verified. */
  secret: string | undefined;
  private readonly server: Server;
  private readonly waiting = new Set<(event: ReceivedEvent) => void>();
  private readonly recent: ReceivedEvent[] = [];

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
  }

  /** Listens on loopback, if possible on the same port as at the last start, because the stored endpoint contains it. */
  static async start(preferred: number | undefined, say: (text: string) => void): Promise<Listener> {
    const port = preferred && (await isPortFree(preferred, '127.0.0.1')) ? preferred : await freePort();
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    server.unref();
    const listener = new Listener(server, port);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.statusCode = listener.take(Buffer.concat(chunks).toString(), request.headers, say) ? 204 : 400;
        response.end();
      });
    });
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/webhooks`;
  }

  /** Returns the first verified event that matches, among the last hundred or those that still arrive. @throws if none arrives in time */
  find(fits: (event: ReceivedEvent) => boolean, withinMs: number): Promise<ReceivedEvent> {
    const seen = this.recent.find(fits);
    if (seen) return Promise.resolve(seen);
    return new Promise((resolve, reject) => {
      const look = (event: ReceivedEvent): void => {
        if (!fits(event)) return;
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve(event);
      };
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`the event did not arrive within ${withinMs / 1000} s`));
      }, withinMs);
      this.waiting.add(look);
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private take(body: string, headers: IncomingHttpHeaders, say: (text: string) => void): boolean {
    const verified = this.verify(body, headers);
    let event: ReceivedEvent;
    try {
      event = JSON.parse(body) as ReceivedEvent;
    } catch {
      return false;
    }
    const { type, resource_id: resource, resource_seq: seq } = event;
    say(
      `${clock()}   event ${type.padEnd(22)} ${resource} #${seq}  signature ${verified ? 'verified' : 'REFUSED'}${detail(event)}`,
    );
    if (verified) this.keep(event);
    return verified;
  }

  private keep(event: ReceivedEvent): void {
    this.recent.push(event);
    if (this.recent.length > 100) this.recent.shift();
    for (const look of [...this.waiting]) look(event);
  }

  private verify(body: string, headers: IncomingHttpHeaders): boolean {
    if (!this.secret) return false;
    try {
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }
}

function detail({ data }: ReceivedEvent): string {
  const reason = data.ended_reason;
  return typeof reason === 'string' ? `  (${reason})` : '';
}

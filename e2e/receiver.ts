import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { until, witnesses } from './until';

/** The envelope of an event as a customer receives it (docs/reference/endpoints-and-events.md). */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly agent_id: string;
  readonly resource_id: string;
  readonly resource_seq: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ReceivedDelivery {
  readonly webhookId: string;
  readonly raw: string;
  readonly event: ReceivedEvent;
  readonly headers: http.IncomingHttpHeaders;
}

/** A customer's webhook receiver: verifies each signature with the public Standard Webhooks library, and keeps what has arrived. */
export class Receiver {
  readonly deliveries: ReceivedDelivery[] = [];
  readonly rejected: string[] = [];
  /** The response status for each delivery; set by tests of retries. */
  answer: (delivery: ReceivedDelivery, nth: number) => number = () => 200;
  private secret = '';

  private readonly lastWords = (): string =>
    `a receiver took ${this.deliveries.map(({ event }) => event.type).join(', ') || 'nothing'}; it refused ${this.rejected.length}: ${this.rejected.at(-1) ?? ''}`;

  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {
    witnesses.add(this.lastWords);
  }

  static async start(): Promise<Receiver> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // The receiver of a test that failed early must not keep the test run alive.
    server.unref();
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.statusCode = receiver.take(Buffer.concat(chunks).toString('utf8'), request.headers);
        response.end();
      });
    });
    return receiver;
  }

  /** Sets the secret that the creation of the endpoint returned. */
  trust(secret: string): void {
    this.secret = secret;
  }

  /** The distinct events of one resource, ordered by sequence number. */
  eventsOf(resourceId: string): ReceivedEvent[] {
    const byId = new Map(
      this.deliveries.filter(({ event }) => event.resource_id === resourceId).map(({ event }) => [event.id, event]),
    );
    return [...byId.values()].sort((one, other) => one.resource_seq - other.resource_seq);
  }

  async eventOf(resourceId: string, type: string): Promise<ReceivedEvent> {
    return until(`${type} of ${resourceId}`, () => this.eventsOf(resourceId).find((event) => event.type === type));
  }

  /**
   * Returns all events of a resource up to those of the given types. Deliveries arrive in any order: when the last event has arrived, an earlier one may still
   * be missing in the sequence.
   */
  async story(resourceId: string, ...types: string[]): Promise<ReceivedEvent[]> {
    return until(`${types.join(' and ')} of ${resourceId}, and all before`, () => {
      const events = this.eventsOf(resourceId);
      const gapless = events.every(({ resource_seq }, index) => resource_seq === index + 1);
      return gapless && types.every((type) => events.some((event) => event.type === type)) ? events : undefined;
    });
  }

  async stop(): Promise<void> {
    witnesses.delete(this.lastWords);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(raw: string, headers: http.IncomingHttpHeaders): number {
    try {
      new Webhook(this.secret).verify(raw, headers as Record<string, string>);
    } catch (error) {
      this.rejected.push(String(error));
      return 400;
    }
    const delivery = {
      webhookId: String(headers['webhook-id']),
      raw,
      headers,
      event: JSON.parse(raw) as ReceivedEvent,
    };
    const nth = this.deliveries.filter(({ webhookId }) => webhookId === delivery.webhookId).length + 1;
    this.deliveries.push(delivery);
    return this.answer(delivery, nth);
  }
}

import type { PubAck } from '@nats-io/jetstream';
import { createInbox, headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { WaitingEvent } from './waiting';
import { eventTypeHeader, typeOfSubject } from './event';

interface Pending {
  readonly resolve: (ack: PubAck) => void;
  readonly reject: (error: Error) => void;
  readonly expiresAt: number;
}

/** A stream's response to a message: an acknowledgement, or the reason why it was not stored. */
type Answer = PubAck & { readonly error?: { readonly code: number; readonly description: string } };

const noRespondersCode = 503;

/**
 * Publishes to streams and receives all acknowledgements through one subscription, matched by a reply token. The client library's own request function creates
 * two error objects with stack traces, a timer and a promise race per message, even if nothing fails; here a message only needs a map entry.
 */
export class AcknowledgedPublisher {
  private readonly inbox: string;
  private readonly subscription: Subscription;
  /** Unacknowledged messages by reply token, oldest first; all have the same timeout. */
  private readonly pending = new Map<string, Pending>();
  private last = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param timeoutMs how long to wait for an acknowledgement
   * @param inboxPrefix where this connection's user may subscribe to replies
   */
  constructor(
    private readonly connection: NatsConnection,
    private readonly timeoutMs: number,
    inboxPrefix?: string,
  ) {
    this.inbox = createInbox(inboxPrefix);
    this.subscription = connection.subscribe(`${this.inbox}.*`, {
      callback: (_error, message) => this.receive(message),
    });
  }

  /**
   * Sends an event with its id as message id, so that the stream can drop duplicates. Rejects if no stream has the subject, the stream rejects the message, the
   * acknowledgement is not received in time, or the connection is closed.
   */
  publish(event: WaitingEvent, type = typeOfSubject(event.subject), traceparent?: string): Promise<PubAck> {
    const head = headers();
    head.set('Nats-Msg-Id', event.id);
    head.set('Nats-Expected-Stream', event.stream);
    head.set(eventTypeHeader, type);
    if (traceparent !== undefined) head.set('traceparent', traceparent);
    const token = String((this.last += 1));
    return new Promise((resolve, reject) => {
      this.connection.publish(event.subject, event.payload, { headers: head, reply: `${this.inbox}.${token}` });
      this.pending.set(token, { resolve, reject, expiresAt: performance.now() + this.timeoutMs });
      this.timer ??= setTimeout(() => this.expire(), this.timeoutMs);
    });
  }

  /** Stops waiting for acknowledgements, because the connection is abandoned. */
  close(): void {
    clearTimeout(this.timer);
    for (const { reject } of this.pending.values()) reject(new Error('the publisher was closed'));
    this.pending.clear();
    if (!this.connection.isClosed()) this.subscription.unsubscribe();
  }

  private receive(message: Msg): void {
    const token = message.subject.slice(this.inbox.length + 1);
    const waiting = this.pending.get(token);
    if (waiting === undefined) return;
    this.pending.delete(token);
    try {
      waiting.resolve(acknowledgementOf(message));
    } catch (error) {
      waiting.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private expire(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const [token, { reject, expiresAt }] of this.pending) {
      if (expiresAt > now) {
        this.timer = setTimeout(() => this.expire(), Math.ceil(expiresAt - now));
        return;
      }
      this.pending.delete(token);
      reject(new Error(`the stream did not acknowledge within ${this.timeoutMs} ms`));
    }
  }
}

function acknowledgementOf(message: Msg): PubAck {
  if (message.data.length === 0 && message.headers?.code === noRespondersCode) {
    throw new Error('no stream accepts the subject');
  }
  const answer = message.json<Answer>();
  if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.description}`);
  return answer;
}

import type { JsMsg } from '@nats-io/jetstream';
import { type Database, type Logger, startSpan } from '@parley/runtime';
import { eventTypeHeader, typeOfSubject, type ConsumedEvent } from './event';
import { isTransient, insertDeadLetter, UnprocessableEventError } from './dead-letters';

export interface EventHandlerOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly durable: string;
  readonly subjects: readonly string[];
  readonly handle: (event: ConsumedEvent) => Promise<void>;
  readonly handleMany?: (events: readonly ConsumedEvent[]) => Promise<void>;
  readonly maxDeliver: number;
  readonly concurrency: number;
  /** Records the highest position of the handled messages, before any of them is acknowledged. */
  readonly recordPosition: (event: ConsumedEvent) => Promise<void>;
}

/**
 * Maximum delay until the next attempt of a failed event. After a failure caused by an outage the delay is short, so that the event is handled soon after the
 * outage, even if many deliveries failed during it.
 */
const mostDelayMs = { passing: 1_000, own: 30_000 } as const;

/** A message with its event. */
export interface Held {
  readonly message: JsMsg;
  readonly event: ConsumedEvent;
}

export function heldOf(message: JsMsg): Held {
  const header = (name: string): string | undefined => {
    const value = message.headers?.get(name) ?? '';
    return value === '' ? undefined : value;
  };
  const event = {
    id: header('Nats-Msg-Id') ?? `${message.info.stream}-${String(message.seq)}`,
    stream: message.info.stream,
    subject: message.subject,
    type: header(eventTypeHeader) ?? typeOfSubject(message.subject),
    data: message.data,
    payload: Buffer.from(message.data).toString('utf8'),
    traceparent: header('traceparent'),
    streamSeq: message.seq,
    deliveries: message.info.deliveryCount,
  };
  return { message, event };
}

/** Whether the subject matches the pattern, in which `*` stands for one token and `>` for the rest. */
export function matches(subject: string, pattern: string): boolean {
  const want = pattern.split('.');
  const have = subject.split('.');
  for (const [place, token] of want.entries()) {
    if (token === '>') return have.length > place;
    if (place >= have.length || (token !== '*' && token !== have[place])) return false;
  }
  return want.length === have.length;
}

/** Passes events to the service and then settles their messages: they are acknowledged after the commit, returned (nak), or stored as dead letters. */
export class EventHandler {
  constructor(private readonly options: EventHandlerOptions) {}

  /** Never rejects. */
  async handleBatch(batch: readonly Held[]): Promise<void> {
    const wanted: Held[] = [];
    const unwanted: Held[] = [];
    for (const one of batch) {
      if (this.options.subjects.some((pattern) => matches(one.event.subject, pattern))) wanted.push(one);
      else unwanted.push(one);
    }
    await this.acknowledge(unwanted);
    if (await this.handledAsOne(wanted)) return;
    const queue = [...wanted];
    const worker = async (): Promise<void> => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) await this.handleOne(one);
    };
    await Promise.all(Array.from({ length: Math.min(this.options.concurrency, queue.length) }, worker));
  }

  private async handledAsOne(wanted: readonly Held[]): Promise<boolean> {
    const { handleMany, log } = this.options;
    if (handleMany === undefined || wanted.length === 0) return false;
    try {
      await consuming(
        wanted.map(({ event }) => event),
        handleMany,
      );
      await this.acknowledge(wanted);
      return true;
    } catch (error) {
      log.warn({ err: error, events: wanted.length }, 'a batch of events failed; handling one by one');
      return false;
    }
  }

  private async handleOne({ message, event }: Held): Promise<void> {
    const { handle, log, durable, maxDeliver } = this.options;
    try {
      await consuming([event], async ([one = event]) => handle(one));
      await this.acknowledge([{ message, event }]);
    } catch (error) {
      const unprocessable =
        error instanceof UnprocessableEventError || (event.deliveries >= maxDeliver && !isTransient(error));
      log.warn(
        { err: error, durable, event_id: event.id, deliveries: event.deliveries, unprocessable },
        'an event failed',
      );
      if (unprocessable && (await this.deadLetter(event, error))) await this.acknowledge([{ message, event }]);
      else
        message.nak(Math.min(250 * 2 ** event.deliveries, isTransient(error) ? mostDelayMs.passing : mostDelayMs.own));
    }
  }

  /**
   * Acknowledges messages. If their position cannot be recorded, they are returned instead: if they were acknowledged then, other messages at the same
   * positions could be skipped later.
   */
  private async acknowledge(handled: readonly Held[]): Promise<void> {
    const [first, ...others] = handled;
    if (first === undefined) return;
    const highest = others.reduce((most, one) => (one.event.streamSeq > most.event.streamSeq ? one : most), first);
    try {
      await this.options.recordPosition(highest.event);
    } catch (error) {
      this.options.log.warn(
        { err: error, events: handled.length },
        'the position of handled events could not be recorded yet',
      );
      for (const { message } of handled) message.nak(mostDelayMs.passing);
      return;
    }
    for (const { message } of handled) message.ack();
  }

  private async deadLetter(event: ConsumedEvent, error: unknown): Promise<boolean> {
    try {
      await insertDeadLetter(this.options.db, this.options.durable, event, error);
      return true;
    } catch (failure) {
      this.options.log.warn({ err: failure, event_id: event.id }, 'failed to dead-letter an event; retrying');
      return false;
    }
  }
}

/**
 * Runs the handling of events with one span per event, a child of the publisher's span. The events passed to `work` contain the trace context of their span.
 * Spans created by `work` are children of the first event's span, because a span can have only one parent. Without the tracing SDK the events are passed
 * unchanged.
 */
async function consuming<T>(
  events: readonly ConsumedEvent[],
  work: (events: readonly ConsumedEvent[]) => Promise<T>,
): Promise<T> {
  const spans = events.map(({ type, id, stream, traceparent }) =>
    startSpan(`consume ${type}`, {
      kind: 'consumer',
      parent: traceparent,
      attributes: {
        'messaging.system': 'nats',
        'messaging.destination.name': stream,
        'messaging.message.id': id,
        'messaging.batch.message_count': events.length,
      },
    }),
  );
  const [first] = spans;
  if (first === undefined) return work(events);
  const traced = events.map((event, index) => ({ ...event, traceparent: spans[index]?.traceparent }));
  try {
    const result = await first.run(() => work(traced));
    for (const span of spans) span?.end();
    return result;
  } catch (error) {
    for (const span of spans) span?.end({ error });
    throw error;
  }
}

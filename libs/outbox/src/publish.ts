import type { PubAck } from '@nats-io/jetstream';
import { withSpan } from '@parley/runtime';
import type { AcknowledgedPublisher } from './acknowledged-publisher';
import type { Published, WaitingEvent } from './waiting';
import { typeOfSubject } from './event';

export interface PublishOutcome {
  readonly published: Published[];
  /** The first failure, if any. The events that failed remain in the table and are retried. */
  readonly failure?: unknown;
  /** Whether a stream assigned a sequence number a second time, because it has lost its end or its store. */
  readonly rewound: boolean;
}

/** Tracks the highest sequence number of each stream, to detect a stream that has lost messages. */
export class SequenceWatch {
  private readonly highest = new Map<string, number>();

  /** Whether this acknowledgement shows that the stream has lost messages. */
  rewinds(ack: PubAck): boolean {
    if (ack.duplicate) return false;
    const before = this.highest.get(ack.stream) ?? 0;
    this.highest.set(ack.stream, ack.seq);
    return ack.seq <= before;
  }
}

function send(publisher: AcknowledgedPublisher, event: WaitingEvent): Promise<PubAck> {
  const type = typeOfSubject(event.subject);
  const attributes = {
    'messaging.system': 'nats',
    'messaging.destination.name': event.stream,
    'messaging.message.id': event.id,
  };
  const options = { kind: 'producer', parent: event.traceparent ?? undefined, attributes } as const;
  return withSpan(`publish ${type}`, options, (traceparent) => publisher.publish(event, type, traceparent));
}

/**
 * Publishes claimed events. Different resources are published in parallel; the events of one resource sequentially, each after the acknowledgement of the
 * previous one. After a failure, the remaining events of that resource are left for the next pass.
 */
export async function publishAll(
  publisher: AcknowledgedPublisher,
  events: readonly WaitingEvent[],
  createdOf: (stream: WaitingEvent['stream']) => string,
  watch: SequenceWatch,
): Promise<PublishOutcome> {
  const runs = new Map<string, WaitingEvent[]>();
  for (const event of events) {
    const run = runs.get(event.ordering_key);
    if (run === undefined) runs.set(event.ordering_key, [event]);
    else run.push(event);
  }
  const published: Published[] = [];
  const failures: unknown[] = [];
  let rewound = false;
  await Promise.all(
    [...runs.values()].map(async (run) => {
      for (const event of run) {
        try {
          const streamCreated = createdOf(event.stream);
          const ack = await send(publisher, event);
          if (watch.rewinds(ack)) rewound = true;
          published.push({ id: event.id, createdAt: event.created_at, streamCreated, streamSeq: ack.seq });
        } catch (error) {
          failures.push(error);
          return;
        }
      }
    }),
  );
  return { published, failure: failures[0], rewound };
}

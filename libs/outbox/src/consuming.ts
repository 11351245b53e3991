import { startSpan } from '@parley/runtime';
import type { ConsumedEvent } from './event';

/**
 * Runs the handling of events with one span per event, a child of the publisher's span. The events passed to `work` contain the trace context of their span.
 * Spans created by `work` are children of the first event's span, because a span can have only one parent. Without the tracing SDK the events are passed
 * unchanged.
 */
export async function consuming<T>(
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

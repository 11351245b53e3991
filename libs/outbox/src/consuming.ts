import { startSpan } from '@parley/runtime';
import type { ConsumedEvent } from './event';

/**
 * Runs the handling of events inside a span for each, which hangs on the publisher's; the events handed to `work` carry its
 * trace context on. What `work` does hangs on the first event's span, as a span has one parent. Without the SDK the events
 * pass as they are.
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

/**
 * Events with at-least-once delivery. `append(tx, events)` writes them in the transaction of the change that they report; a relay publishes them to JetStream, and
 * `createConsumer` hands them to a handler that is idempotent by the event's id and commits before it acknowledges. Avoid publishing to NATS directly, and doing in a
 * consumer what cannot be repeated.
 */
export { append, outboxInsert, type OutboxColumns } from './append';
export { createConsumer, type ConsumerOptions } from './consumer';
export { type ConsumedEvent, type OutboxEvent, type StreamName } from './event';
export { UnprocessableEventError } from './dead-letters';
export { streamKeeper, type StreamKeeperOptions } from './stream-keeper';
export { recordingsBucket, recordingsBucketDefinition } from './recordings-bucket';
export { createRelay, type Relay, type RelayOptions } from './relay';
export { outboxRing, ringKeeper, type Ring, type RingKeeperOptions } from './rings';
export { ensureStream, streamDefinition, streams, type NatsSource, type StreamDefinition } from './streams';

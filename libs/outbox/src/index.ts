/**
 * Events with at-least-once delivery. `append(tx, events)` writes them in the transaction of the change that they report; a relay publishes them to JetStream;
 * and `createConsumer` passes them to a handler, which must be idempotent by the event's id and commit before the event is acknowledged. Do not publish to NATS
 * directly, and do not do anything in a consumer that cannot be repeated.
 */
export { append, outboxInsert, type OutboxColumns } from './append';
export { createConsumer, type ConsumerOptions } from './consumer';
export { type ConsumedEvent, type OutboxEvent, type StreamName } from './event';
export { UnprocessableEventError } from './dead-letters';
export { streamKeeper, type StreamKeeperOptions } from './stream-keeper';
export { recordingsBucket, recordingsBucketDefinition } from './recordings-bucket';
export { createRelay, type Relay, type RelayOptions } from './relay';
export { outboxRing, partitionKeeper, type Ring, type PartitionKeeperOptions } from './rings';
export { ensureStream, streamDefinition, streams, type NatsSource, type StreamDefinition } from './streams';

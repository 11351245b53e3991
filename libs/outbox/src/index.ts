export { append, outboxInsert, type OutboxColumns } from './append';
export { createConsumer, type ConsumerOptions } from './consumer';
export { type ConsumedEvent, type OutboxEvent, type StreamName } from './event';
export { PoisonError } from './poison';
export { streamKeeper, type StreamKeeperOptions } from './stream-keeper';
export { recordingsBucket, recordingsBucketDefinition } from './recordings-bucket';
export { createRelay, type Relay, type RelayOptions } from './relay';
export { outboxRing, ringKeeper, type Ring, type RingKeeperOptions } from './rings';
export { ensureStream, streamDefinition, streams, type NatsSource, type StreamDefinition } from './streams';

export { append } from './append';
export { createConsumer, type ConsumerOptions } from './consumer';
export { type ConsumedEvent, type OutboxEvent, type StreamName } from './event';
export { PoisonError } from './poison';
export { createRelay, type Relay, type RelayOptions } from './relay';
export { ensureStream, streamDefinition, streams, type NatsSource, type StreamDefinition } from './streams';

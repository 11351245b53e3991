export { append } from './append';
export { createConsumer, type ConsumerOptions } from './consumer';
export { eventTypeHeader, type ConsumedEvent, type OutboxEvent, type StreamName } from './event';
export { onceOnly, PoisonError } from './poison';
export { createRelay, type Relay, type RelayOptions } from './relay';
export {
  ensureStream,
  retentionDays,
  streamDefinition,
  streams,
  type NatsSource,
  type StreamDefinition,
} from './streams';

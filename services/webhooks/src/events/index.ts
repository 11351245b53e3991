/** The event log: storing events, creating their deliveries, and reading them. */
export { eventConsumer } from './consume-events';
export { eraseEvents } from './erase-events';
export { EventTail } from './event-tail';
export { listEvents, type EventLogDependencies } from './list-events';
export { payloadFor } from './payload.rules';

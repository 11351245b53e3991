/** The event log: taking events in, making deliveries of them, and reading them. */
export { eventConsumer } from './consume-events';
export { eraseEvents } from './erase-events';
export { EventTail } from './event-tail';
export { listEvents, type EventLogDependencies } from './list-events';
export { payloadFor } from './payload.rules';

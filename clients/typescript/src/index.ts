export * from './generated/types.gen.js';
export * from './client.js';
export { ParleyError, type ErrorBody, type ErrorCode } from './errors.js';
export type { StreamedEvent, StreamOptions } from './event-stream.js';
export type { TransportOptions } from './transport.js';
export * as webhooks from './webhooks.js';
export { WebhookError, type AnyEvent, type UnknownEvent, type UnwrapOptions } from './webhooks.js';
export type { OnWarning, ParleyWarning } from './warnings.js';

export * from './generated/types.gen.js';
export * from './client.js';
export * from './errors.js';
export type { TransportOptions } from './transport.js';
export * as webhooks from './webhooks.js';
export { WebhookError, type AnyEvent, type UnknownEvent, type UnwrapOptions } from './webhooks.js';
export type { OnWarning, ParleyWarning } from './warnings.js';

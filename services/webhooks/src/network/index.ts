/** Connections to endpoints: which addresses they may have, and the client that connects to no other. */
export { createAddressPolicy, type AddressPolicy } from './address-policy.rules';
export { checkDestination } from './destination.rules';
export { createWebhookClient, type Exchange, type WebhookClient } from './webhook-client';

/** Connections to endpoints: the client that connects to no address but those that the policy allows. */
export { createWebhookClient, type Exchange, type WebhookClient } from './webhook-client';

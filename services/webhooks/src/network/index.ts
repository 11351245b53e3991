/** Connections to endpoints: a client that only connects to addresses allowed by the policy. */
export { createWebhookClient, type Exchange, type WebhookClient } from './webhook-client';

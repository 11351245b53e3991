export { build } from './build';
export { WebhooksConfig } from './config';

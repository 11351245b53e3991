/** Deliveries: what is sent to endpoints and when, and the results of all attempts. */
export { deliveryRecord, deliverySummary } from './delivery-views.rules';
export { Dispatcher } from './dispatcher';
export { forgetOld, recordExists, rings } from './housekeeping.cross-tenant.sql';
export { createDeliveryMetrics, observeDeliveries } from './delivery-metrics';
export { getDelivery, listAttempts, listDeliveries } from './read-deliveries';
export { retryDelivery } from './retry-delivery';
export { createSigningKeys } from './signing-keys';
export { testEndpoint } from './test-endpoint';

/** The console's connection to the platform. */
export { gatewayClient, type Answered, type GatewayClient } from './gateway-client';
export { proxyRouter } from './proxy-router';

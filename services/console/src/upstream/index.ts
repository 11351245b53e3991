/** The console's connection to the platform. */
export { gatewayClient, type Answered, type Asking, type GatewayClient } from './gateway-client';
export { clientHeaders, proxyRouter } from './proxy-router';

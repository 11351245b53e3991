/** The console's connection to the platform. */
export { clientHeaders } from './client-headers';
export { gatewayClient, type Answered, type Asking, type GatewayClient } from './gateway-client';
export { proxyRouter } from './proxy-router';

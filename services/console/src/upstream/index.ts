/** The platform, as the console reaches it. */
export { gatewayClient, type Answered, type GatewayClient } from './gateway-client';
export { proxyRouter } from './proxy-router';

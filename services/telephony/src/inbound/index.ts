/** Calls that carriers and media gateways report. */
export { authorizeOutboundCall } from './authorize-outbound-call';
export { endDraftCalls } from './draft-by-pin';
export {
  type GatewayLine,
  getCallConfiguration,
  organizationOfLine,
  putCallArtifacts,
  reportGatewayCall,
} from './gateway-call';
export { gatewayOf } from './inbound-router.rules';
export { receiveCarrierCall } from './receive-carrier-call';
export { receiveCarrierCallStatus } from './receive-carrier-call-status';
export { routeInboundCall } from './route-inbound-call';

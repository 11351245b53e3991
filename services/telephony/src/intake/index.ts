/** How calls begin: admission of outbound calls, incoming calls, chats and demos. */

// Admission: placing, scheduling, reviewing and canceling calls within the limits of their organization.
export { admissionBatches, type Intake } from './admission/admission-batches';
export { admissionError } from './admission/admission-error';
export { admissionSnapshots, type AdmissionSnapshots, loadAdmissionSnapshot } from './admission/admission-snapshots';
export { cancelCall, cancelNow } from './admission/cancel-call';
export { admitCall, createCall } from './admission/create-call';
export type { CallToPlace } from './admission/new-call';
export { createTestCall } from './admission/create-test-call';
export { createTrialCall } from './admission/create-trial-call';
export { placerOf, refusePlacer } from './admission/refuse-placer';
export { rejectReview, resolveReview } from './admission/resolve-review';
export { createScheduledCalls } from './admission/scheduled-calls';

// Chats: calls without audio, written turn by turn.
export { endChat, getChat, takeChatTurn } from './chats/converse';
export { createChat } from './chats/create-chat';

// What the installation can call for an organization.
export { readCoverage } from './coverage/read-coverage';

// Agents that are open to the public by a link (ADR 119).
export { demoRpcs } from './demos/demo-rpcs';
export { closeDemo, openDemo, readDemo } from './demos/manage-demo';

// Calls that carriers and media gateways report.
export { endDraftCalls } from './inbound/draft-by-pin';
export {
  authorizeOutboundCall,
  completeGatewayRecording,
  getCallConfiguration,
  putCallArtifacts,
  putGatewayPart,
  reportGatewayCall,
} from './inbound/gateway-call';
export { gatewayOf } from './inbound/inbound-router.rules';
export { receiveCarrierCallStatus } from './inbound/receive-carrier-call-status';
export { receiveCarrierCall } from './inbound/receive-carrier-call';
export { routeInboundCall } from './inbound/route-inbound-call';

// Calls over SIP trunks, as Asterisk reports them.
export { createSipController } from './sip/sip-controller';
export { SipPeers } from './sip/sip-peers';

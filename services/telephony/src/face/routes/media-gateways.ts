import { artifactsOf } from '../../dispatch';
import {
  authorizeOutboundCall,
  completeGatewayRecording,
  getCallConfiguration,
  putCallArtifacts,
  reportGatewayCall,
  routeInboundCall,
  gatewayOf,
} from '../../intake';
import { renderCall } from '../../books';
import { callerOf } from '../../network';
import { callResult } from './calls';
import { group, type Served } from './group';
import { renderReport } from './worker-jobs';

/** Routes for incoming calls of organizations' own media gateways and of the hosted media gateway, which belongs to no organization. */
export function mediaGatewayHandlers({ telephony, configurations }: Served) {
  return group({
    async routeInboundCall(call) {
      const { to, from, gateway_call_id: gatewayCallId, pin } = call.body();
      const { organizationId, caller } = call;
      const router = gatewayOf(caller);
      const input = { organizationId, to, ...callerOf(from), gatewayCallId, pin, holder: caller.keyId, router };
      const routed = await routeInboundCall(telephony, input, call.context);
      const action = routed.status === 'failed' ? 'reject' : 'answer';
      return { body: `{"action":"${action}","call":${renderCall(routed)}}` };
    },
    async getCallConfiguration({ caller, organizationId, params, context }) {
      const line = { organizationId, callId: params.call_id, gateway: gatewayOf(caller) };
      const read = await getCallConfiguration(telephony.db, configurations, line, context);
      return { body: `{"call":${renderCall(read.call)},"runtime_configuration":${read.configuration}}` };
    },
    async authorizeOutboundCall({ caller, organizationId, params }) {
      const line = { organizationId, callId: params.call_id, gateway: gatewayOf(caller) };
      return callResult(await authorizeOutboundCall(telephony.db, line));
    },
    async reportGatewayCall(call) {
      const { caller, organizationId, params } = call;
      const line = { organizationId, callId: params.call_id, gateway: gatewayOf(caller) };
      const input = { ...line, report: () => call.body() };
      return { body: renderReport(await reportGatewayCall(telephony, input, call.context)) };
    },
    async putCallArtifacts(call) {
      const { caller, organizationId, params } = call;
      const line = { organizationId, callId: params.call_id, gateway: gatewayOf(caller) };
      const input = { ...line, artifacts: () => artifactsOf(call.body()) };
      return callResult(await putCallArtifacts(telephony, input, call.context));
    },
    async completeGatewayRecording(call) {
      const { caller, organizationId, params } = call;
      const line = { organizationId, callId: params.call_id, gateway: gatewayOf(caller) };
      return { body: await completeGatewayRecording(telephony, { ...line, fields: () => call.body() }) };
    },
  });
}

import { InboundCall, validate } from '@parley/contract';
import { documentOf } from '@parley/runtime';
import { callEtag, renderCall } from '../domain/render-call';
import { getCallConfiguration, putCallArtifacts, reportGatewayCall } from '../usecases/gateway-call';
import { routeInboundCall } from '../usecases/route-inbound-call';
import type { Handled, Handlers } from './handled';
import { recordingIn, transcriptOf } from './job-handlers';
import { reachOfWorker } from './reach';

type GatewayMethods = 'routeInboundCall' | 'getCallConfiguration' | 'reportGatewayCall' | 'putCallArtifacts';

/** What media gateways are served: those of an organization, and the hosted one that belongs to none. */
export function gatewayHandlers({ telephony, configurations }: Handled): Handlers<GatewayMethods> {
  const { db } = telephony;
  return {
    async routeInboundCall(request, context) {
      const { value } = validate(InboundCall, {
        to: request.to,
        from: request.from,
        gateway_call_id: request.gatewayCallId,
      });
      const input = {
        organizationId: reachOfWorker(request.organizationId, context),
        to: value.to,
        from: value.from,
        gatewayCallId: value.gateway_call_id,
        holder: context.caller?.keyId ?? '',
      };
      const call = await routeInboundCall(telephony, input, context);
      return {
        action: call.status === 'failed' ? 'reject' : 'answer',
        call: documentOf('CallRecord', renderCall(call)),
      };
    },
    async getCallConfiguration(request, context) {
      const organizationId = reachOfWorker(request.organizationId, context);
      const read = await getCallConfiguration(db, configurations, organizationId, request.callId, context);
      return {
        call: documentOf('CallRecord', renderCall(read.call)),
        runtimeConfiguration: documentOf('RuntimeConfiguration', read.configuration),
      };
    },
    async reportGatewayCall(request, context) {
      const { callId, seq, events } = request;
      const organizationId = reachOfWorker(request.organizationId, context);
      return reportGatewayCall(telephony, { organizationId, callId, seq, events }, context);
    },
    async putCallArtifacts(request, context) {
      const organizationId = reachOfWorker(request.organizationId, context);
      const { callId } = request;
      const artifacts = () => ({
        transcript: transcriptOf(request.transcript),
        recording: recordingIn(request.recording),
      });
      const call = await putCallArtifacts(telephony, { organizationId, callId, artifacts }, context);
      return {
        document: documentOf('CallRecord', renderCall(call)),
        etag: callEtag(call),
        replayed: false,
        ignoredFields: [],
      };
    },
  };
}

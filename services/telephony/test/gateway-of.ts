import { routes, type CallRecord, type GatewayLifecycleAnswer, type InboundCallAnswer } from '@parley/contract';
import type { Caller } from '@parley/runtime';
import type { Reported } from './test-caller';
import type { Instance } from './telephony-under-test';

/** A media gateway of an organization. */
export const gatewayCaller = (organizationId: string, deployment = 'frankfurt-1'): Caller => ({
  keyId: 'key_00000000000000000000000007',
  organizationId,
  kind: 'gateway',
  deployment,
  scopes: ['calls:authorize', 'gateways:report', 'artifacts:upload', 'number-rules:read'],
});

/** The hosted media gateway, which belongs to no organization. */
export const hostedGateway: Caller = {
  keyId: 'key_00000000000000000000000008',
  organizationId: '',
  kind: 'hosted',
  scopes: ['calls:authorize', 'gateways:report'],
};

/** An incoming call to a number: requests the instructions for the line. */
export async function ringAt(
  instance: Instance,
  caller: Caller,
  body: { readonly to: string; readonly from: string; readonly gateway_call_id: string; readonly pin?: string },
): Promise<InboundCallAnswer> {
  return (await instance.request(routes.routeInboundCall, { caller, body })).body;
}

/** Reports an event of an incoming line. */
export async function tellOf(
  instance: Instance,
  { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
  seq: number,
  ...events: Reported[]
): Promise<GatewayLifecycleAnswer> {
  const request = { caller: gatewayCaller(organizationId), params: { call_id: callId }, body: { seq, events } };
  return (await instance.request(routes.reportGatewayCall, request)).body;
}

export async function putArtifacts(
  instance: Instance,
  { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
  body: object,
): Promise<CallRecord> {
  const request = { caller: gatewayCaller(organizationId), params: { call_id: callId }, body };
  return (await instance.request(routes.putCallArtifacts, request)).body;
}

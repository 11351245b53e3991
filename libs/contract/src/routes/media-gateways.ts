import { CallRecord } from '../objects/call';
import {
  GatewayArtifacts,
  GatewayCallConfiguration,
  GatewayLifecycle,
  GatewayLifecycleAnswer,
  InboundCall,
  InboundCallAnswer,
  NumberRulePage,
} from '../objects/media-gateway';
import { ListQuery } from '../objects/page';
import { RecordingComplete, RecordingPartRecord, RecordingUploadRecord } from '../objects/recording';
import { gatewayRoute, routesOf } from './define';

const route = routesOf('telephony');

/** Self-hosted media gateways use a token of their organization (docs/reference/keys.md#gateway-tokens); the hosted one belongs to no organization. */
const gateways = ['gateway', 'hosted'] as const;
/** Only the hosted gateway has outbound calls. */
const hosted = ['hosted'] as const;
/** Routes for which the hosted gateway has no scope. */
const selfHosted = ['gateway'] as const;

/** Not recorded in the audit log: the record and the events of the call show what its gateway did. */
export const mediaGatewayRoutes = {
  routeInboundCall: route('POST', '/v1/gateway/inbound-calls', {
    summary: 'Route an incoming call: answer or reject it',
    scope: 'calls:authorize',
    audience: gateways,
    body: InboundCall,
    answer: InboundCallAnswer,
    newWork: false,
    audit: false,
    errors: ['NotFoundError', 'ConflictError', 'rate_limited'],
  }),
  getCallConfiguration: route('GET', '/v1/gateway/calls/{call_id}/configuration', {
    summary: 'Read the pinned configuration of an incoming call that the deployment routed',
    scope: 'calls:authorize',
    audience: gateways,
    answer: GatewayCallConfiguration,
    etag: false,
  }),
  authorizeOutboundCall: route('POST', '/v1/gateway/calls/{call_id}/authorize', {
    summary: 'Take the line of an outbound call that is being dialed, to report what happens on it',
    scope: 'calls:authorize',
    audience: hosted,
    answer: CallRecord,
    newWork: false,
    audit: false,
    errors: ['ConflictError'],
  }),
  reportGatewayCall: route('POST', '/v1/gateway/calls/{call_id}/lifecycle', {
    summary: 'Report what happened on the line of a call',
    scope: 'gateways:report',
    audience: gateways,
    body: GatewayLifecycle,
    answer: GatewayLifecycleAnswer,
    newWork: false,
    audit: false,
    errors: ['ConflictError'],
  }),
  putCallArtifacts: route('POST', '/v1/gateway/calls/{call_id}/artifacts', {
    summary: 'Upload the transcript and the recording of a completed incoming call',
    scope: 'artifacts:upload',
    audience: selfHosted,
    body: GatewayArtifacts,
    answer: CallRecord,
    newWork: false,
    audit: false,
    errors: ['ConflictError'],
  }),
  putGatewayRecordingPart: gatewayRoute('PUT', '/v1/gateway/calls/{call_id}/recording/parts/{n}', {
    summary: 'Upload a part of the recording of an incoming call',
    scope: 'artifacts:upload',
    audience: selfHosted,
    upload: 'application/octet-stream',
    answer: RecordingPartRecord,
    rpc: 'telephony.putGatewayRecordingPart',
    newWork: false,
    audit: false,
    errors: ['ConflictError'],
  }),
  completeGatewayRecording: route('POST', '/v1/gateway/calls/{call_id}/recording/complete', {
    summary: 'Report that all parts of a recording are uploaded',
    scope: 'artifacts:upload',
    audience: selfHosted,
    body: RecordingComplete,
    answer: RecordingUploadRecord,
    newWork: false,
    audit: false,
    waits: true,
    errors: ['ConflictError'],
  }),
  listNumberRules: route('GET', '/v1/gateway/number-rules', {
    summary: 'List which agent answers which number, newest number first',
    scope: 'number-rules:read',
    audience: selfHosted,
    query: ListQuery,
    answer: NumberRulePage,
  }),
};

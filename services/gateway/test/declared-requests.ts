import { allRoutes, type AnyRoute } from '@parley/contract';
import { newId, type IdPrefix } from '@parley/runtime';
import { organization, project } from './stand-ins';
import type { RequestOptions } from './test-gateway';

/** A body that the gateway lets through, for each route that takes one. */
const bodies: Record<string, object> = {
  'create-agent': { organization_id: organization, project_id: project, mode: 'hosted' },
  'update-agent': { name: 'Reception' },
  'replace-variables': { config: { variables: [] } },
  'save-voice-stack': { first_message: 'Hello' },
  'preview-voice-stack': { first_message: 'Hello' },
  'create-workflow-draft': {},
  'save-workflow-draft': { base_revision: 1, draft: { nodes: [], edges: [] } },
  'publish-workflow': {},
  'arm-workflow-phone-pin': {},
  'create-message': { agent_id: newId('agt'), to: '+14155550100', body: 'See you' },
  'create-template-message': { template_id: newId('tpl'), to: '+14155550100' },
  'create-message-template': { organization_id: organization, name: 'Reminder', texts: { en: 'See you' } },
  'update-message-template': { name: 'Reminder' },
  'preview-voice': { text: 'Hello' },
  'create-agent-endpoint': {
    organization_id: organization,
    project_id: project,
    webhook_url: 'https://a.example',
    audio_stream_url: 'wss://a.example',
  },
  'update-agent-endpoint': { events: ['call.created'] },
  'recover-agent-endpoint': { since: '2026-01-01T00:00:00.000Z' },
  'mint-api-key': { organization_id: organization, name: 'reader', scopes: ['agents:read'] },
  'create-component-credential': {
    organization_id: organization,
    kind: 'tts',
    provider: 'elevenlabs',
    name: 'our account',
    secret: 'xi-secret',
  },
  'create-carrier-credential': {
    organization_id: organization,
    provider: 'twilio',
    account_sid: 'AC00000000000000000000000000000000',
    auth_token: 'carrier-secret',
  },
  'mint-gateway-token': { organization_id: organization, deployment_name: 'frankfurt-1' },
  'create-organization': { name: 'Acme' },
  'create-project': { name: 'Support' },
  'set-maintenance': { active: false },
  'create-number': {
    organization_id: organization,
    project_id: project,
    phone_number: '+14155550100',
    provider: 'simulator',
  },
  'update-number': { inbound_agent_id: null },
  'create-call': { agent_id: newId('agt'), to: '+14155550100' },
  'claim-worker-jobs': { kinds: ['call'], capacity: 1, worker_id: 'worker-1' },
  'heartbeat-worker-jobs': { worker_id: 'worker-1', leases: [] },
  'report-worker-job': { epoch: 1, seq: 1, events: [{ type: 'dialing' }] },
  'complete-worker-job': { epoch: 1 },
  'create-trial-call': { agent_id: newId('agt'), outcome: 'busy' },
  'route-inbound-call': { to: '+14155550100', from: '+14155550101', gateway_call_id: 'CA1' },
  'report-gateway-call': { seq: 1, events: [{ type: 'answered' }] },
  'put-call-artifacts': {},
  'top-up-wallet': { organization_id: organization, amount_micros: 1_000_000 },
  'create-suppressions': { organization_id: organization, phone_numbers: ['+14155550100'] },
  'remove-suppression': { organization_id: organization, phone_number: '+14155550100' },
  'set-controls': {},
  'set-policy': {},
  'resolve-review': { decision: 'approve' },
  'create-campaign': { agent_id: newId('agt'), name: 'Spring' },
  'update-campaign': { name: 'Summer' },
  'add-campaign-contacts': { contacts: [{ to: '+14155550100' }] },
  'duplicate-campaign': {},
  'resolve-campaign-review': { decision: 'approve' },
};

const prefixes: Record<string, IdPrefix> = {
  template_id: 'tpl',
  agent_id: 'agt',
  agent_endpoint_id: 'ep',
  delivery_id: 'dlv',
  key_id: 'key',
  gateway_token_id: 'key',
  number_id: 'num',
  call_id: 'call',
  message_id: 'msg',
  job_id: 'job',
  campaign_id: 'cmp',
  attempt_id: 'att',
  import_id: 'imp',
};

/** The declared path with an id in each place. */
export function pathOf(route: AnyRoute, ids: Readonly<Record<string, string>> = {}): string {
  return route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const prefix = prefixes[name];
    return ids[name] ?? (prefix === undefined ? organization : newId(prefix));
  });
}

/** A request that the route accepts. */
export function requestOf(route: AnyRoute): RequestOptions {
  return route.body === undefined ? {} : { body: bodies[route.id] ?? {} };
}

/** Every declared route, for `it.each`. */
export const declared: [string, AnyRoute][] = allRoutes.map((route) => [`${route.method} ${route.path}`, route]);

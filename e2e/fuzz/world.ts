import fc from 'fast-check';
import { Api } from '../api';
import { Customer } from '../customer';
import type { Platform } from '../platform';
import { futureTime, type Hints } from './arbitrary-of-schema';
import { operations, type Operation } from './openapi';
import {
  claimedJob,
  componentsOf,
  connectionActions,
  created,
  finishedCall,
  finishedDraft,
  mediaGateway,
  resources,
  specialAgents,
  toolName,
  workerKey,
  type Components,
  type MediaGateway,
  type SpecialAgents,
} from './resources';

type Ids = Readonly<Record<string, string>>;

interface Parts {
  readonly customer: Customer;
  readonly operator: Api;
  readonly worker: Api;
  readonly gateway: MediaGateway;
  readonly agents: SpecialAgents;
  readonly customerScopes: readonly string[];
  readonly components: Components;
  /** Ids for path parameters, by their names. */
  readonly own: Ids;
  /** Ids of records that tests may revoke, delete and suspend. */
  readonly expendable: Ids;
  readonly foreignOrganizationId: string;
  /** The call of the job `own.job_id`. */
  readonly jobCallId: string;
}

/** The scopes of media gateway tokens. */
export const gatewayScopes: ReadonlySet<string> = new Set([
  'calls:authorize',
  'gateways:report',
  'artifacts:upload',
  'number-rules:read',
]);

/** An organization with one record of every kind, so that there is an existing id for each route. */
export class World {
  private constructor(private readonly parts: Parts) {}

  static async create(platform: Platform): Promise<World> {
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const customer = await Customer.create(platform);
    // Enables recording, so that there is a recording too.
    await customer.api.patch(`/v1/agents/${customer.agentId}`, { recording_enabled: true });
    const finished = finishedCall(customer);
    const scopes = await customer.api.get<{ groups: Record<string, string[]> }>('/v1/api-keys/scopes');
    const worker = operator.as(await workerKey(operator, customer.organizationId));
    const own = await resources(customer);
    const operatorKeys = await operator.get<{ data: { key_id: string }[] }>('/v1/operator-keys');
    const job = await claimedJob(customer, worker);
    const organization = async (name: string): Promise<string> =>
      created(operator, '/v1/organizations', { name }, 'organization_id');
    return new World({
      customer,
      operator,
      worker,
      gateway: await mediaGateway(customer),
      agents: await specialAgents(customer),
      customerScopes: Object.values(scopes.body.groups).flat(),
      components: componentsOf((await customer.api.get('/v1/agent-catalog')).body),
      own: {
        version: '1',
        name: toolName,
        ...own,
        organization_id: customer.organizationId,
        job_id: job.jobId,
        operator_key_id: operatorKeys.body.data[0]?.key_id ?? '',
        ...(await finished),
      },
      expendable: { ...(await resources(customer)), organization_id: await organization('Expendable') },
      foreignOrganizationId: await organization('Other'),
      jobCallId: job.callId,
    });
  }

  get customerApi(): Api {
    return this.parts.customer.api;
  }

  /** The organization and project in which the records are. */
  get workspace(): { readonly organization_id: string; readonly project_id: string } {
    const { organizationId, projectId } = this.parts.customer;
    return { organization_id: organizationId, project_id: projectId };
  }

  get foreignOrganizationId(): string {
    return this.parts.foreignOrganizationId;
  }

  /** The client with a key for this route: of the customer, a worker, a gateway or an operator. */
  apiFor({ scope }: Operation): Api {
    const { customer, customerScopes, worker, operator, gateway } = this.parts;
    if (scope !== undefined && gatewayScopes.has(scope)) return gateway.api;
    if (scope === undefined || customerScopes.includes(scope)) return customer.api;
    if (scope === 'worker_jobs:read') return operator;
    return scope.startsWith('worker_jobs:') || scope === 'component_credentials:lease' ? worker : operator;
  }

  /** Whether a route is used with the customer's key, with which no other organization may be named. */
  isOfCustomer(operation: Operation): boolean {
    return this.apiFor(operation) === this.parts.customer.api;
  }

  /** The path with existing ids; if there is no record of the kind, with one that does not exist. */
  async pathOf(operation: Operation): Promise<string> {
    let at = '';
    for (const part of operation.path.split('/').slice(1)) {
      const name = part.startsWith('{') ? part.slice(1, -1) : undefined;
      at += `/${name === undefined ? part : (this.idFor(operation, name) ?? (await this.newestOf(at, name)) ?? 'none')}`;
    }
    return at;
  }

  /** The id of a record of the world that a field of this name may contain. */
  idOf(field: string): string | undefined {
    return this.parts.own[field];
  }

  /** The id of a record that a field of a body may contain. */
  async referenceOf(field: string): Promise<string> {
    const { customer, own } = this.parts;
    if (field === 'project_id') return customer.projectId;
    if (field.endsWith('agent_id')) return customer.agentId;
    if (field === 'from') return String(own.caller_number);
    const known = own[field];
    if (known === undefined) throw new Error(`nothing here is what ${field} could name`);
    return known;
  }

  private idFor(operation: Operation, name: string): string | undefined {
    const { agents, gateway } = this.parts;
    if (name === 'n') return '1';
    if (name === 'agent_id' && operation.path.includes('/tools/')) return agents.tooled;
    if (name === 'agent_id' && operation.path.includes('/workflow/versions/')) return agents.published;
    if (name === 'agent_id' && operation.path.includes('/workflow/') && operation.id !== 'create-workflow-draft')
      return operation.id === 'publish-workflow' ? agents.publishing : agents.drafting;
    if (name === 'call_id' && operation.path.startsWith('/v1/gateway/')) return gateway.callId;
    const spoils = operation.method === 'DELETE' || operation.path.endsWith('/revoke');
    const rules = operation.scope?.startsWith('operator:') === true;
    return (spoils || rules ? this.parts.expendable[name] : undefined) ?? this.parts.own[name];
  }

  /** The newest record of a kind that was not created in advance. */
  private async newestOf(listPath: string, name: string): Promise<string | undefined> {
    const list = operations.find(({ method, path }) => method === 'GET' && path === listPath);
    if (list === undefined) return undefined;
    const { status, body } = await this.apiFor(list).get<{ data?: Record<string, unknown>[] }>(listPath);
    const id = status === 200 ? body.data?.[0]?.[name] : undefined;
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  }

  get customer(): Customer {
    return this.parts.customer;
  }

  get operator(): Api {
    return this.parts.operator;
  }

  /** The path of a read that shows the effect of a write if no path above it does. */
  shownElsewhere({ path }: Operation): string | undefined {
    return path.includes('{job_id}') ? `/v1/calls/${this.parts.jobCallId}` : undefined;
  }

  /** Values that the schemas do not describe. */
  hintsFor({ path }: Operation): Hints {
    const { customer, own, customerScopes, components, gateway } = this.parts;
    const languages = fc.constantFrom('en', 'en-GB', 'de', 'de-DE', 'fr', 'es', 'et', 'pt-BR');
    const fixed: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      organization_id: fc.constant(customer.organizationId),
      // The customer's first project has only one number, so that a call need not name it, and the agents that have workflows and suites.
      project_id: fc.constant(
        /^\/v1\/(calls|trial-calls|simulation-suites)$|\/workflow\//.test(path) ? customer.projectId : own.project_id,
      ),
      agent_id: fc.constant(customer.agentId),
      inbound_agent_id: fc.constantFrom(null, own.agent_id),
      to: fc.integer({ min: 1, max: 8 }).map((outcome) => `+1500555000${outcome}`),
      from: fc.constant(own.caller_number),
      worker_id: fc.constantFrom('fuzz-1', 'fuzz-2'),
      // A longer wait would be for calls that do not come.
      wait_seconds: fc.constant(0),
      // An open maintenance window would refuse the requests that follow.
      active: fc.constant(false),
      expires_at: futureTime,
      scheduled_at: futureTime,
      ends_at: futureTime,
      time_zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC'),
      'scopes[]': fc.constantFrom(...customerScopes, 'all', 'all-read'),
      webhook_url: addressOf('https'),
      audio_stream_url: addressOf('wss'),
      url: addressOf('https'),
      stt: fc.constant(null),
      llm: fc.constant(null),
      tts: fc.constant(null),
      language: languages,
      'languages[]': languages,
      locale: languages,
      target_language: languages,
      texts: fc.dictionary(languages, fc.constantFrom('Hello', 'Good day to you'), { minKeys: 1, maxKeys: 3 }),
      // Numbers that the simulator never calls.
      'phone_numbers[]': fc.constantFrom('+15005550191', '+15005550192'),
      ...hintsByPath(path, gateway),
      ...messageHints(path, this.parts),
    };
    return (name, schema) => {
      if (schema.readOnly === true) return undefined;
      if (schema.properties?.provider !== undefined && schema.properties.model !== undefined)
        return fc.constantFrom(...(components[name] ?? components.voice ?? []));
      return Object.hasOwn(fixed, name) ? fixed[name] : undefined;
    };
  }

  async close(): Promise<void> {
    await this.parts.customer.close();
  }
}

/** Complete bodies: the schemas do not describe which recipients, numbers and templates are valid. */
function messageHints(path: string, { customer, own }: Parts): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const shared = {
    to: fc.constantFrom('+15005550006', '+15005550001'),
    purpose: fc.constantFrom('reminder', 'news'),
    metadata: fc.constantFrom({}, { order: 7 }),
    consent: fc.boolean(),
  };
  switch (path) {
    case '/v1/messages': {
      const text = fc.string({ minLength: 1, maxLength: 200 }).map((body) => body.replaceAll('\0', '.'));
      const needed = { ...shared, agent_id: fc.constant(customer.agentId), body: text };
      const more = {
        from: fc.constant(own.caller_number),
        campaign_id: fc.constant('spring'),
        language: fc.constantFrom('en', 'et-EE'),
      };
      return { '': fc.record({ ...needed, ...more }, { requiredKeys: ['agent_id', 'to', 'body'] }) };
    }
    case '/v1/agents/{agent_id}/template-messages': {
      const more = { from_number: fc.constant(own.own_number), project_id: fc.constant(own.project_id) };
      const needed = { ...shared, template_id: fc.constant(own.template_id), slots: fc.constant({}) };
      return { '': fc.record({ ...needed, ...more }, { requiredKeys: ['template_id', 'to'] }) };
    }
    case '/v1/simulation-suites': {
      const home = {
        organization_id: fc.constant(customer.organizationId),
        project_id: fc.constant(customer.projectId),
      };
      const rest = { name: fc.constantFrom('a', 'b'), scenarios: fc.constant([scenario]) };
      return { '': fc.record({ ...home, agent_id: fc.constant(customer.agentId), ...rest }) };
    }
    default:
      return {};
  }
}

const scenario = {
  name: 'says hello',
  callee: { type: 'script', turns: ['Hello?'] },
  assertions: [{ type: 'turns_at_most', turns: 50 }],
};

/** Addresses with hosts that cannot be resolved, so that nothing leaves the machine. */
const addressOf = (scheme: string): fc.Arbitrary<string> =>
  fc.nat(9_999).map((number) => `${scheme}://host-${number}.invalid/hook?n=${number}`);

const extractionSchema = { type: 'object', properties: { day: { type: 'string', description: 'The agreed day' } } };

/** Values for fields whose meaning depends on the route. */
function hintsByPath(path: string, gateway: MediaGateway): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  switch (path) {
    case '/v1/agents/{agent_id}/workflow/draft':
    case '/v1/agents/{agent_id}/workflow/publish':
      return { draft: fc.constant(finishedDraft), base_revision: fc.constant(1) };
    case '/v1/agents/{agent_id}/variables':
      return { base_revision: fc.integer({ min: 0, max: 4 }) };
    case '/v1/voice-previews':
      return { text: fc.constantFrom('Hello', 'Good morning, how can I help?'), language: fc.constant('en') };
    case '/v1/component-credentials':
      return {
        kind: fc.constant('stt'),
        provider: fc.constantFrom('deepgram', 'google'),
        base_url: addressOf('https'),
      };
    case '/v1/connections':
    case '/v1/connections/{connection_id}':
      return {
        base_url: fc.nat(9_999).map((number) => `https://host-${number}.invalid/api`),
        authentication: fc.constant({ type: 'none' }),
        actions: fc.constant(connectionActions),
      };
    case '/v1/sip-trunks':
    case '/v1/sip-trunks/{sip_trunk_id}':
      return { host: fc.constantFrom('a.invalid', 'b.invalid'), codecs: fc.constant(['pcmu']) };
    case '/v1/knowledge-bases':
      // Others need a server for embeddings and pgvector.
      return { embeddings: fc.constant(null) };
    case '/v1/knowledge-bases/{knowledge_base_id}':
      return { language: fc.constant('en'), embeddings: fc.constant(null) };
    case '/v1/knowledge-bases/{knowledge_base_id}/documents':
      return { '': fc.record({ name: fc.constantFrom('a', 'b'), text: fc.constantFrom('one', 'two') }) };
    case '/v1/agents/{agent_id}/knowledge-bases':
      return { knowledge_base_ids: fc.constant([]) };
    case '/v1/agents/{agent_id}/extraction':
      return {
        schema: fc.constant(extractionSchema),
        model: fc.constant(null),
        prompt: fc.constantFrom(null, 'The day.'),
      };
    case '/v1/agents/{agent_id}/demo':
      return {
        expires_at: fc.constant(new Date(Date.now() + 86_400_000).toISOString()),
        spend_cap_micros: fc.integer({ min: 5_000_000, max: 10_000_000 }),
      };
    case '/v1/agents/{agent_id}/extraction/reruns':
      return { from: fc.constant('2026-01-01T00:00:00Z'), to: fc.constant('2026-01-31T00:00:00Z') };
    case '/v1/simulation-suites/{simulation_suite_id}':
      return { scenarios: fc.constantFrom([scenario], [{ ...scenario, name: 'other' }]) };
    case '/v1/simulation-suites/{simulation_suite_id}/runs':
      return { repetitions: fc.constantFrom(1, 2), target: fc.constant({ type: 'published' }) };
    case '/v1/carrier-credentials':
      return { account_sid: fc.constantFrom('AC1', 'AC2') };
    case '/v1/erasures':
      // Numbers that no other operation uses.
      return { phone_number: fc.constantFrom('+15005550193', '+15005550194') };
    case '/v1/suppressions/remove':
      return { phone_number: fc.constantFrom('+15005550191', '+15005550192') };
    case '/v1/gateway/inbound-calls':
      return { to: fc.constant(gateway.number), from: fc.constant('+15005550001') };
    case '/v1/gateway/calls/{call_id}/lifecycle':
      return { seq: fc.integer({ min: 1, max: 3 }) };
    default:
      return {};
  }
}

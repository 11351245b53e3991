import { forbidden, internal, notFound } from '@parley/errors';
import { AgentForCall, AgentsServiceService, type AgentsServiceServer } from '@parley/proto/agents';
import {
  AuthServiceService,
  ControlState,
  Maintenance,
  OrganizationResponse,
  type AuthServiceServer,
  type LeasedComponentCredential,
} from '@parley/proto/auth';
import { KnowledgeServiceService, type KnowledgeServiceServer } from '@parley/proto/knowledge';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, grpcService, newId } from '@parley/runtime';
import { inProcessGrpc } from '@parley/testing';

/** Fakes of the services that telephony calls, over real gRPC. */
type KeptCredential = LeasedComponentCredential & { readonly onStandby?: boolean };

export interface FakeServices {
  readonly address: string;
  /** Adds an active, hosted agent of a new organization and project. Tests can change the returned object. */
  addAgent(change?: Partial<AgentForCall>): AgentForCall;
  /** Removes an agent, as if it had been deleted. */
  removeAgent(agentId: string): void;
  readonly control: {
    epoch: number;
    suspendedOrganizations: string[];
    suspendedAgents: string[];
    revokedKeys: string[];
    maintenance: boolean;
  };
  /** Changes of the billing mode of organizations, in their order; each increments the control epoch. */
  readonly billingChanges: { organizationId: string; billing: string; epoch: string }[];
  /** The number of calls of GetAgentForCall. */
  readonly asked: { agents: number };
  /** While true, agents returns only errors, and auth returns errors for the control state. */
  readonly broken: { agents: boolean; auth: false | 'fails' | 'hangs' };
  /** Message templates by id, with the organization that owns them. */
  readonly templates: Map<string, { readonly organizationId: string; readonly template: object }>;
  /** Overrides of fields of publications, by their hash. */
  readonly publications: Map<string, object>;
  /** Hashes of publications that no longer exist. */
  readonly lost: Set<string>;
  /** Responses to requests for a publication wait for these promises, by hash. */
  readonly slow: Map<string, Promise<void>>;
  /** The opened secrets that agents returns for a call, by agent; empty for the others. */
  readonly secrets: Map<string, Partial<CallSecrets>>;
  /** Drafts of workflows, by agent id. */
  readonly drafts: Map<string, { readonly pin: string; readonly workflow: object }>;
  /** The opened component credentials of organizations. */
  readonly credentials: Map<string, readonly KeptCredential[]>;
  /** The installation's accounts, by provider. */
  readonly platformAccounts: Map<string, { readonly secret: string; readonly baseUrl: string }>;
  /** The requests to open credentials, with the requesting key. */
  readonly opened: { caller: string; organizationId: string; callId: string; ids: string[] }[];
  /** The resources whose events webhooks was requested to erase, in order. */
  readonly erasedCopies: {
    readonly organizationId: string;
    readonly resourceId: string;
    readonly first: string;
    readonly last: string;
  }[];
  /** The number of events that webhooks has of each resource; a lower number than telephony published simulates a consumer that is behind. */
  readonly logged: { events: number };
  /** The queries to knowledge, in order. It responds with the knowledge bases of the query. */
  readonly questions: { organizationId: string; knowledgeBaseIds: string[]; text: string; limit: number }[];
  /** Prepaid organizations; all others are unmetered. */
  readonly prepaid: Set<string>;
  stop(): Promise<void>;
}

export interface CallSecrets {
  readonly bindings: Record<string, string>;
  readonly tools: { name: string; signingSecrets: string[] }[];
  readonly connections: readonly object[];
  readonly external: { url: string; signingSecrets: string[] };
}

const publication = {
  version: 1,
  voice_frontend: 'cascade',
  language: 'en-US',
  languages: ['en-US'],
  profiles: [],
  starting_language: null,
  follow_caller: null,
  system_prompt: 'You are friendly.',
  first_message: 'Hello!',
  transcriber: { provider: 'simulator', model: 'sim-listen-40' },
  model: { provider: 'simulator', model: 'sim-think' },
  voice: { provider: 'simulator', model: 'sim-speak' },
  tools: [],
  translation: null,
};

const catalogue = {
  conversation_engines: { cascade: { has_language_axis: true } },
  transcribers: [{ provider: 'simulator', models: [{ model: 'sim-listen-40', fast_words: true }] }],
  voices: [
    {
      provider: 'simulator',
      models: [{ model: 'sim-speak', delivery_control: 'speed', delivery_profiles: { calm: 0.9 } }],
    },
  ],
};

const hit = { document_id: 'doc_1', document_name: 'Hours', position: 0, text: 'Nine to five.', score: 1 };

export async function fakeServices(): Promise<FakeServices> {
  const agents = new Map<string, AgentForCall>();
  const asked = { agents: 0 };
  const broken: FakeServices['broken'] = { agents: false, auth: false };
  const lost = new Set<string>();
  const publications: FakeServices['publications'] = new Map();
  const slow: FakeServices['slow'] = new Map();
  const prepaid = new Set<string>();
  const control = {
    epoch: 1,
    suspendedOrganizations: [],
    suspendedAgents: [],
    revokedKeys: [],
    maintenance: false,
  } as FakeServices['control'];
  const billingChanges: FakeServices['billingChanges'] = [];
  const everSuspended = new Set<string>();
  const reinstated = (prefix: string, suspended: readonly string[]): string[] => {
    for (const id of suspended) everSuspended.add(id);
    return [...everSuspended].filter((id) => id.startsWith(prefix) && !suspended.includes(id));
  };
  const templates: FakeServices['templates'] = new Map();
  const secrets: FakeServices['secrets'] = new Map();
  const credentials: FakeServices['credentials'] = new Map();
  const platformAccounts: FakeServices['platformAccounts'] = new Map();
  const opened: FakeServices['opened'] = [];
  const erasedCopies: FakeServices['erasedCopies'] = [];
  const logged: FakeServices['logged'] = { events: 1_000 };
  const drafts: FakeServices['drafts'] = new Map();
  const questions: FakeServices['questions'] = [];
  const { getAgentForCall, getMessageTemplate, getCallSecrets, openDraft } = AgentsServiceService;
  const { getPublication, getCatalogue, getPlatformCredentials } = VoiceStackServiceService;
  const { getControlState, getOrganization, listBillingChanges, leaseComponentCredentials } = AuthServiceService;
  const { eraseEvents } = WebhooksServiceService;
  const { ask } = KnowledgeServiceService;
  const server = await inProcessGrpc([
    grpcService<Pick<KnowledgeServiceServer, 'ask'>>(
      { ask },
      {
        async ask(question) {
          questions.push(question);
          const data = question.knowledgeBaseIds.map((id) => ({ ...hit, knowledge_base_id: id }));
          return { answer: documentOf('KnowledgeAnswer', { data }) };
        },
      },
    ),
    grpcService<Pick<WebhooksServiceServer, 'eraseEvents'>>(
      { eraseEvents },
      {
        async eraseEvents({ organizationId, resources }) {
          for (const { resourceId, firstEventId: first, lastEventId: last } of resources) {
            erasedCopies.push({ organizationId, resourceId, first, last });
          }
          return { events: resources.map(() => logged.events) };
        },
      },
    ),
    grpcService<Pick<AgentsServiceServer, 'getAgentForCall' | 'getMessageTemplate' | 'getCallSecrets' | 'openDraft'>>(
      { getAgentForCall, getMessageTemplate, getCallSecrets, openDraft },
      {
        async openDraft({ agentId, pin }) {
          const draft = drafts.get(agentId);
          const isRight = pin !== '' && draft?.pin === pin;
          return {
            workflow: isRight ? documentOf('CallTuning.workflow', draft.workflow) : undefined,
            armed: draft !== undefined,
          };
        },
        async getCallSecrets({ agentId, connectionIds }) {
          const { bindings = {}, tools = [], connections = [], external } = secrets.get(agentId) ?? {};
          const named = connections.filter((one) => connectionIds.includes(String(Reflect.get(one, 'connection_id'))));
          return { bindings, tools, connections: named.map((one) => documentOf('LeasedConnection', one)), external };
        },
        async getMessageTemplate({ organizationId, templateId }) {
          const found = templates.get(templateId);
          if (found?.organizationId !== organizationId) throw notFound('message template');
          return { document: documentOf('MessageTemplate', found.template) };
        },
        async getAgentForCall({ organizationId, agentId }, { caller }) {
          // Like the real service: the credential of a hosted worker has access to no organization.
          if (caller?.kind === 'hosted') throw forbidden();
          asked.agents += 1;
          if (broken.agents) throw internal(new Error('as if it were down'), 503);
          const agent = agents.get(agentId);
          if (agent === undefined || (organizationId !== '' && organizationId !== agent.organizationId)) {
            throw notFound('agent');
          }
          return agent;
        },
      },
    ),
    grpcService<Pick<VoiceStackServiceServer, 'getPublication' | 'getCatalogue' | 'getPlatformCredentials'>>(
      { getPublication, getCatalogue, getPlatformCredentials },
      {
        async getPlatformCredentials({ providers }) {
          const known = providers.flatMap((provider) => {
            const account = platformAccounts.get(provider);
            return account === undefined ? [] : [{ provider, ...account }];
          });
          return { credentials: known };
        },
        async getPublication({ organizationId, sha256 }) {
          await slow.get(sha256);
          if (lost.has(sha256)) throw notFound('publication');
          const content = documentOf('Publication', { ...publication, ...publications.get(sha256) });
          return { organizationId, sha256, content, createdAt: '' };
        },
        async getCatalogue() {
          return { catalogue: documentOf('AgentCatalogue', catalogue), version: '1' };
        },
      },
    ),
    grpcService<
      Pick<
        AuthServiceServer,
        'getControlState' | 'getOrganization' | 'listBillingChanges' | 'leaseComponentCredentials'
      >
    >(
      { getControlState, getOrganization, listBillingChanges, leaseComponentCredentials },
      {
        async leaseComponentCredentials(request, { caller }) {
          const { organizationId, componentCredentialIds: ids, standby, callId } = request;
          opened.push({ caller: caller?.keyId ?? '', organizationId, callId, ids });
          const has = credentials.get(organizationId) ?? [];
          const isWanted = ({
            componentCredentialId: id,
            kind,
            provider,
            onStandby = false,
          }: KeptCredential): boolean =>
            ids.includes(id) || (onStandby && standby.some((one) => one.kind === kind && one.provider === provider));
          return { componentCredentials: has.filter(isWanted).map(({ onStandby: _, ...one }) => one) };
        },
        async listBillingChanges({ sinceEpoch }) {
          const changes = billingChanges.filter(({ epoch }) => BigInt(epoch) > BigInt(sinceEpoch));
          return { epoch: String(control.epoch), changes, more: false };
        },
        async getOrganization({ organizationId }) {
          const billing = prepaid.has(organizationId) ? 'prepaid' : 'unmetered';
          return OrganizationResponse.fromPartial({ organization: { organizationId, billing, status: 'active' } });
        },
        async getControlState({ sinceEpoch }) {
          if (broken.auth === 'fails') throw internal(new Error('as if it were down'), 503);
          while (broken.auth === 'hangs') await new Promise((resolve) => setTimeout(resolve, 5));
          return ControlState.fromPartial({
            epoch: String(control.epoch),
            complete: sinceEpoch === '0',
            // Tests modify these lists in place, so the complete lists are sent each time.
            suspendedOrganizationIds: control.suspendedOrganizations,
            suspendedAgentIds: control.suspendedAgents,
            reinstatedOrganizationIds: reinstated('org', control.suspendedOrganizations),
            reinstatedAgentIds: reinstated('agt', control.suspendedAgents),
            revokedKeyIds: control.revokedKeys,
            maintenance: Maintenance.fromPartial({ active: control.maintenance, retryAfterSeconds: 60 }),
            nowMs: String(Date.now()),
          });
        },
      },
    ),
  ]);
  return {
    address: server.address,
    addAgent(change = {}) {
      const agent = AgentForCall.fromPartial({
        agentId: newId('agt'),
        organizationId: newId('org'),
        projectId: newId('prj'),
        status: 'active',
        mode: 'hosted',
        publicationVersion: 3,
        publicationSha256: 'ab'.repeat(32),
        tuning: documentOf('CallTuning', { opening: { first_speaker: 'agent' }, tools: [], recording_enabled: false }),
        language: 'en-US',
        costMicrosPerMinute: '60000',
        ...change,
      });
      agents.set(agent.agentId, agent);
      return agent;
    },
    removeAgent: (agentId) => void agents.delete(agentId),
    control,
    billingChanges,
    asked,
    broken,
    templates,
    publications,
    lost,
    slow,
    prepaid,
    drafts,
    secrets,
    credentials,
    platformAccounts,
    opened,
    erasedCopies,
    questions,
    logged,
    stop: () => server.stop(),
  };
}

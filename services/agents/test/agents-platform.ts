import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { routes, type AnyRoute } from '@parley/contract';
import { AgentsServiceService, type AgentForCall, type AgentsServiceServer } from '@parley/proto/agents';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { createDatabase, newId, systemClock, type Caller, type Database, jsonOf } from '@parley/runtime';
import {
  customerCaller,
  grpcClient,
  inProcessGrpc,
  operatorCaller,
  publicClient,
  requestPublic,
  testDatabase,
  type PublicTestRequest,
  type TestDatabase,
} from '@parley/testing';
import { createAddressPolicy } from '@parley/service';
import { createVault } from '@parley/vault';
import { agentInsertions } from '../src/agents/agent-insertions';
import { agentPages, agentViews } from '../src/agents/agent-pages';
import { VoiceStack } from '../src/agents/voice-stack-client';
import type { KnownCredential } from '../src/agents/credential-bindings.rules';
import { knownConnections } from '../src/connections';
import { assignedBases } from '../src/knowledge';
import { agentsService } from '../src/agents-service';
import { agentsPublicService } from '../src/handlers';
import type { Dependencies } from '../src/agents/dependencies';
import { startVoiceStack, type VoiceStackProcess } from './voice-stack-process';

/** The body of a response; untyped, because tests read arbitrary fields. */
export type Json = Record<string, ReturnType<typeof JSON.parse>>;

export interface Answer {
  readonly body: Json;
  readonly etag: string;
  readonly replayed: boolean;
}

export interface Clients {
  /** The public routes. */
  readonly routes: ReturnType<typeof publicClient>;
  /** The RPCs that other services call. */
  readonly rpcs: ReturnType<typeof grpcClient<AgentsServiceServer>>;
}

export interface WriteOptions {
  readonly ifMatch?: string;
  readonly as?: Caller;
  /** The organization that the gateway names. Default: the caller's own. */
  readonly organizationId?: string;
}

export interface KeptCredential extends KnownCredential {
  readonly organizationId: string;
  readonly standby?: boolean;
}

/** The agents service with a real PostgreSQL database and a real voice-stack process. Other services are simulated. */
export class AgentsPlatform {
  /** Runs before the simulated knowledge service answers. */
  onOwned: () => Promise<void> = () => Promise.resolve();

  private constructor(
    readonly database: TestDatabase,
    readonly voiceStack: VoiceStackProcess,
    readonly dependencies: Dependencies,
    /** The credentials of the simulated auth service; tests add to it. */
    readonly credentials: KeptCredential[],
    /** Ids of agents with live calls in the simulated telephony service; tests add to it. */
    readonly live: Set<string>,
    /** The audio_stream_url of a project's only endpoint in the simulated webhooks service, by project id. */
    readonly audioStreams: Map<string, string>,
    /** The project of each knowledge base in the simulated knowledge service, by id; tests add to it. */
    readonly bases: Map<string, string>,
    private readonly server: Awaited<ReturnType<typeof inProcessGrpc>>,
    private readonly clients: Clients,
    private readonly voiceStackClient: { close(): void },
  ) {}

  /** @param wrap wraps the database, for example to observe or delay statements */
  static async start(
    wrap: (db: Database) => Database = (db) => db,
    others: Partial<Dependencies> = {},
  ): Promise<AgentsPlatform> {
    const voiceStack = await startVoiceStack();
    const database = await testDatabase({
      schemaFile: path.join(__dirname, '../schema.sql'),
      schema: 'agents',
      checkCrossTenantReads: true,
    });
    const voiceStackClient = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, voiceStack.address);
    const kept: KeptCredential[] = [];
    const live = new Set<string>();
    const audioStreams = new Map<string, string>();
    const bases = new Map<string, string>();
    const db = wrap(database.db);
    const started: { platform?: AgentsPlatform } = {};
    const keptOf = (organizationId: string, ids: readonly string[]) =>
      kept.filter((one) => one.organizationId === organizationId && ids.includes(one.credentialId));
    const dependencies = {
      db,
      insertions: agentInsertions(db),
      views: agentViews(db),
      pages: agentPages(),
      voiceStack: new VoiceStack(voiceStackClient, systemClock),
      // Simulated: the workers support everything. Telephony has its own tests.
      workers: {
        check: () => Promise.resolve({ blockers: [], undeclared: [], translator: 'simulator' }),
        channels: () => Promise.resolve({ phone: [], browser: [], chat: [], hasNumber: true }),
      },
      // Simulated. Auth has its own tests, and end-to-end tests bind real credentials.
      credentials: {
        find: (organizationId: string, ids: readonly string[]) => Promise.resolve(keptOf(organizationId, ids)),
        forCalls: (organizationId: string, ids: readonly string[]) =>
          Promise.resolve({
            known: keptOf(organizationId, ids),
            standby: kept.filter((one) => one.organizationId === organizationId && one.standby === true),
          }),
      },
      // Simulated. Telephony has its own tests, and end-to-end tests delete agents with calls.
      calls: {
        of: (_organizationId: string, agentId: string) => Promise.resolve(live.has(agentId)),
        endOfDraft: () => Promise.resolve(),
      },
      // Simulated. Webhooks has its own tests, and end-to-end tests create endpoints.
      endpoints: {
        audioStreamUrl: ({ projectId }: { projectId: string }) => Promise.resolve(audioStreams.get(projectId) ?? ''),
      },
      connections: knownConnections(db),
      assigned: assignedBases(db),
      // Simulated. Knowledge has its own tests, and end-to-end tests assign real knowledge bases.
      knowledge: {
        owned: async ({ projectId }: { projectId: string }, ids: readonly string[]) => {
          await started.platform?.onOwned();
          return ids.filter((id) => bases.get(id) === projectId);
        },
      },
      policy: createAddressPolicy({ development: true }),
      vault: createVault({ current: 'k1', keys: new Map([['k1', randomBytes(32)]]) }),
      onCommit: () => undefined,
      publicationBlocked: () => undefined,
      ...others,
    };
    const server = await inProcessGrpc([
      agentsService(dependencies),
      agentsPublicService(dependencies, { insecureUrls: true }),
    ]);
    const clients = {
      routes: publicClient(server.address),
      rpcs: grpcClient<AgentsServiceServer>(AgentsServiceService, server.address),
    };
    const platform = new AgentsPlatform(
      database,
      voiceStack,
      dependencies,
      kept,
      live,
      audioStreams,
      bases,
      server,
      clients,
      voiceStackClient,
    );
    started.platform = platform;
    return platform;
  }

  async stop(): Promise<void> {
    this.clients.routes.close();
    this.clients.rpcs.close();
    await this.server.stop();
    this.voiceStackClient.close();
    await this.database.drop();
    await this.voiceStack.stop();
  }

  /** A customer of a new organization. */
  customer(organizationId: string = newId('org')): Customer {
    return new Customer(this.clients, organizationId, newId('prj'));
  }

  /** Connects as the owner of the tables, with privileges that the service lacks. The caller must end the pool. */
  async asOwner(): Promise<Database> {
    return createDatabase({ url: this.database.adminUrl, schema: 'agents' });
  }

  async rows(text: string, values: readonly unknown[]): Promise<Json[]> {
    return (await this.database.db.query<Json>({ text, values })).rows;
  }
}

export class Customer {
  constructor(
    readonly clients: Clients,
    readonly organizationId: string,
    readonly projectId: string,
  ) {}

  /** Sends a request to a public route, as this customer unless `as` names another caller. */
  ask<R extends AnyRoute>(route: R, request: PublicTestRequest<R>, { as, organizationId }: WriteOptions = {}) {
    const caller = as ?? customerCaller(this.organizationId);
    return requestPublic(this.clients.routes, route, {
      caller,
      organizationId: organizationId ?? this.organizationId,
      ...request,
    });
  }

  /** Creates an agent with the required fields. @param key the Idempotency-Key */
  create(body: Json = {}, key = ''): Promise<Answer> {
    const whole = { organization_id: this.organizationId, project_id: this.projectId, mode: 'hosted', ...body };
    return answer(this.ask(routes.createAgent, { body: whole, key }));
  }

  /** Creates an agent and returns its id. */
  async agent(body: Json = {}): Promise<string> {
    return String((await this.create(body)).body.agent_id);
  }

  get(agentId: string, options: WriteOptions = {}): Promise<Answer> {
    return answer(this.ask(routes.getAgent, at(agentId), options));
  }

  update(agentId: string, body: Json, options: WriteOptions = {}): Promise<Answer> {
    return answer(this.ask(routes.updateAgent, write(agentId, body, options), options));
  }

  stack(agentId: string, options: WriteOptions = {}): Promise<Answer> {
    return answer(this.ask(routes.getVoiceStack, at(agentId), options));
  }

  save(agentId: string, body: Json, options: WriteOptions = {}): Promise<Answer> {
    return answer(this.ask(routes.saveVoiceStack, write(agentId, body, options), options));
  }

  async list({
    projectId,
    summary,
    ...page
  }: PageQuery & { projectId?: string; summary?: boolean } = {}): Promise<Page> {
    const query = {
      ...pageQuery(page),
      ...(projectId !== undefined && { project_id: projectId }),
      ...(summary === true && { summary: 'true' }),
    };
    return (await answer(this.ask(routes.listAgents, { query }))).body as Page;
  }

  forCall(agentId: string): Promise<AgentForCall> {
    const caller = customerCaller(this.organizationId);
    return this.clients.rpcs.getAgentForCall({ organizationId: '', agentId }, { requestId: 'test', caller });
  }

  /** Returns the draft workflow for a PIN, or undefined. */
  async draftBy(agentId: string, pin: string): Promise<{ version: number; definition: unknown } | undefined> {
    const caller = customerCaller(this.organizationId);
    const { workflow } = await this.clients.rpcs.openDraft(
      { organizationId: '', agentId, pin },
      { requestId: 'test', caller },
    );
    return workflow && jsonOf<{ version: number; definition: unknown }>(workflow);
  }

  async isDraftArmed(agentId: string): Promise<boolean> {
    const asking = { requestId: 'test', caller: customerCaller(this.organizationId) };
    return (await this.clients.rpcs.openDraft({ organizationId: '', agentId, pin: '' }, asking)).armed;
  }

  variables(agentId: string, options: WriteOptions = {}): Promise<Answer> {
    return answer(this.ask(routes.getVariables, at(agentId), options));
  }

  replaceVariables(agentId: string, body: Json, options: WriteOptions = {}): Promise<Answer> {
    return answer(this.ask(routes.replaceVariables, write(agentId, body, options), options));
  }

  async publications(agentId: string, page: PageQuery = {}): Promise<Page> {
    const query = pageQuery(page);
    return (await answer(this.ask(routes.listPublications, { ...at(agentId), query }))).body as Page;
  }

  async publication(agentId: string, version: string, options: WriteOptions = {}): Promise<Json> {
    const params = { agent_id: agentId, version };
    return (await answer(this.ask(routes.getPublication, { params }, options))).body;
  }

  async diff(agentId: string, version: string, against?: number): Promise<Json> {
    const params = { agent_id: agentId, version };
    return (await answer(this.ask(routes.diffPublication, { params, query: against === undefined ? {} : { against } })))
      .body;
  }

  restore(agentId: string, version: string, options: WriteOptions = {}): Promise<Answer> {
    const params = { agent_id: agentId, version };
    return answer(this.ask(routes.restorePublication, { params, ifMatch: options.ifMatch }, options));
  }

  async preview(agentId: string, body: Json, options: WriteOptions = {}): Promise<Json> {
    return (await answer(this.ask(routes.previewVoiceStack, { ...at(agentId), body }, options))).body;
  }

  async previewVoice(body: Json): Promise<Buffer> {
    return (await this.ask(routes.previewVoice, { body })).body as Buffer;
  }
}

interface PageQuery {
  readonly limit?: number;
  /** Empty for the first page. */
  readonly cursor?: string;
}

const pageQuery = ({ limit, cursor = '' }: PageQuery) => ({
  ...(limit !== undefined && { limit }),
  ...(cursor !== '' && { cursor }),
});

interface Page {
  data: Json[];
  next_cursor: string | null;
}

const at = (agentId: string) => ({ params: { agent_id: agentId } });

const write = (agentId: string, body: Json, { ifMatch }: WriteOptions) => ({ ...at(agentId), body, ifMatch });

/** The response without its raw text. */
async function answer(pending: Promise<{ body: object; etag: string; replayed: boolean }>): Promise<Answer> {
  const { body, etag, replayed } = await pending;
  return { body, etag, replayed };
}

/** An operator who names no organization. */
export const operator: WriteOptions = { as: operatorCaller, organizationId: '' };

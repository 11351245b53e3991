import { createHash, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { canonicalJson } from '@parley/contract';
import { AgentsServiceService, type AgentForCall, type AgentsServiceServer } from '@parley/proto/agents';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import {
  createDatabase,
  documentOf,
  grpcClient,
  jsonOf,
  newId,
  systemClock,
  type Caller,
  type Database,
} from '@parley/runtime';
import { customerCaller, inProcessGrpc, operatorCaller, testDatabase, type TestDatabase } from '@parley/testing';
import { createVault } from '@parley/vault';
import { VoiceStack } from '../src/clients/voice-stack';
import type { KnownCredential } from '../src/domain/credential-bindings';
import { agentsService } from '../src/grpc/agents-service';
import type { Dependencies } from '../src/usecases/dependencies';
import { startVoiceStack, type VoiceStackProcess } from './voice-stack-process';

/** An answer's body: tests look into it wherever they like. */
export type Json = Record<string, ReturnType<typeof JSON.parse>>;

export interface Answer {
  readonly body: Json;
  readonly etag: string;
  readonly replayed: boolean;
}

export interface WriteOptions {
  readonly ifMatch?: string;
  readonly as?: Caller;
  /** The organization the gateway names; the caller's own unless told. */
  readonly organizationId?: string;
}

export interface KeptCredential extends KnownCredential {
  readonly organizationId: string;
}

/** agents over gRPC with real PostgreSQL and a real voice-stack. */
export class AgentsPlatform {
  private constructor(
    readonly database: TestDatabase,
    readonly voiceStack: VoiceStackProcess,
    readonly dependencies: Dependencies,
    /** What auth keeps, to be added to. */
    readonly credentials: KeptCredential[],
    private readonly server: Awaited<ReturnType<typeof inProcessGrpc>>,
    private readonly client: ReturnType<typeof grpcClient<AgentsServiceServer>>,
    private readonly voiceStackClient: { close(): void },
  ) {}

  /** `wrap` puts something between the service and its database. */
  static async start(wrap: (db: Database) => Database = (db) => db): Promise<AgentsPlatform> {
    const voiceStack = await startVoiceStack();
    const database = await testDatabase({
      migrations: path.join(__dirname, '../migrations'),
      schema: 'agents',
      proveFinders: true,
    });
    const voiceStackClient = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, voiceStack.address);
    const kept: KeptCredential[] = [];
    const dependencies = {
      db: wrap(database.db),
      voiceStack: new VoiceStack(voiceStackClient, systemClock),
      // Auth has its own tests; end-to-end tests bind credentials that it keeps.
      credentials: {
        find: (organizationId: string, ids: readonly string[]) =>
          Promise.resolve(
            kept.filter((one) => one.organizationId === organizationId && ids.includes(one.credentialId)),
          ),
      },
      vault: createVault({ current: 'k1', keys: new Map([['k1', randomBytes(32)]]) }),
      committed: () => undefined,
      publicationBlocked: () => undefined,
    };
    const server = await inProcessGrpc([agentsService(dependencies, { insecureUrls: true })]);
    const client = grpcClient<AgentsServiceServer>(AgentsServiceService, server.address);
    return new AgentsPlatform(database, voiceStack, dependencies, kept, server, client, voiceStackClient);
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.server.stop();
    this.voiceStackClient.close();
    await this.database.drop();
    await this.voiceStack.stop();
  }

  /** A customer of an organization of its own. */
  customer(organizationId: string = newId('org')): Customer {
    return new Customer(this.client, organizationId, newId('prj'));
  }

  /** The database as its owner, who may do what the service may not. The caller ends its pool. */
  async asOwner(): Promise<Database> {
    return createDatabase({ url: this.database.adminUrl, schema: 'agents' });
  }

  async rows(text: string, values: readonly unknown[]): Promise<Json[]> {
    return (await this.database.db.query<Json>({ text, values })).rows;
  }
}

export class Customer {
  constructor(
    readonly client: ReturnType<typeof grpcClient<AgentsServiceServer>>,
    readonly organizationId: string,
    readonly projectId: string,
  ) {}

  /** Creates with the required fields filled in; with `key` as its Idempotency-Key. */
  async create(body: Json = {}, key = ''): Promise<Answer> {
    const whole = { organization_id: this.organizationId, project_id: this.projectId, mode: 'hosted', ...body };
    const fingerprint = createHash('sha256').update(canonicalJson(whole)).digest();
    const answer = await this.client.createAgent(
      {
        organizationId: this.organizationId,
        body: documentOf('Agent', whole),
        idempotency: { key, route: 'create-agent', fingerprint },
      },
      this.context(),
    );
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  /** The id of a new agent. */
  async agent(body: Json = {}): Promise<string> {
    return String((await this.create(body)).body.agent_id);
  }

  async get(agentId: string, options: WriteOptions = {}): Promise<Answer> {
    const { document, etag, replayed } = await this.client.getAgent(
      this.request(agentId, options),
      this.context(options),
    );
    return { body: jsonOf(document), etag, replayed };
  }

  async update(agentId: string, body: Json, options: WriteOptions = {}): Promise<Answer> {
    const answer = await this.client.updateAgent(
      { ...this.request(agentId, options), body: documentOf('AgentUpdate', body), ifMatch: options.ifMatch ?? '' },
      this.context(options),
    );
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  async stack(agentId: string, options: WriteOptions = {}): Promise<Answer> {
    const answer = await this.client.getVoiceStack(this.request(agentId, options), this.context(options));
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  async save(agentId: string, body: Json, options: WriteOptions = {}): Promise<Answer> {
    const answer = await this.client.saveVoiceStack(
      {
        ...this.request(agentId, options),
        body: documentOf('AgentVoiceStackUpdate', body),
        ifMatch: options.ifMatch ?? '',
      },
      this.context(options),
    );
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  async list(
    page: { limit?: number; cursor?: string; projectId?: string } = {},
  ): Promise<{ data: Json[]; next_cursor: string | null }> {
    const { document } = await this.client.listAgents(
      {
        organizationId: this.organizationId,
        projectId: page.projectId ?? '',
        page: { limit: page.limit ?? 20, cursor: page.cursor ?? '' },
      },
      this.context(),
    );
    return jsonOf(document);
  }

  forCall(agentId: string): Promise<AgentForCall> {
    return this.client.getAgentForCall(this.request(agentId, {}), { requestId: randomUUID() });
  }

  async variables(agentId: string, options: WriteOptions = {}): Promise<Answer> {
    const answer = await this.client.getVariables(this.request(agentId, options), this.context(options));
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  async replaceVariables(agentId: string, body: Json, options: WriteOptions = {}): Promise<Answer> {
    const answer = await this.client.replaceVariables(
      {
        ...this.request(agentId, options),
        body: documentOf('AgentVariablesUpdate', body),
        ifMatch: options.ifMatch ?? '',
      },
      this.context(options),
    );
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  async publications(
    agentId: string,
    page: { limit?: number; cursor?: string } = {},
  ): Promise<{ data: Json[]; next_cursor: string | null }> {
    const request = { ...this.request(agentId, {}), page: { limit: page.limit ?? 20, cursor: page.cursor ?? '' } };
    return jsonOf((await this.client.listPublications(request, this.context())).document);
  }

  async publication(agentId: string, version: string, options: WriteOptions = {}): Promise<Json> {
    const request = { ...this.request(agentId, options), version, ifMatch: '' };
    return jsonOf((await this.client.getPublication(request, this.context(options))).document);
  }

  async diff(agentId: string, version: string, against?: number): Promise<Json> {
    const request = { ...this.request(agentId, {}), version, against };
    return jsonOf((await this.client.diffPublication(request, this.context())).document);
  }

  async restore(agentId: string, version: string, options: WriteOptions = {}): Promise<Answer> {
    const request = { ...this.request(agentId, options), version, ifMatch: options.ifMatch ?? '' };
    const answer = await this.client.restorePublication(request, this.context(options));
    return { body: jsonOf(answer.document), etag: answer.etag, replayed: answer.replayed };
  }

  async preview(agentId: string, body: Json, options: WriteOptions = {}): Promise<Json> {
    const document = documentOf('AgentVoiceStackUpdate', body);
    const request = { ...this.request(agentId, options), body: document, ifMatch: '' };
    return jsonOf((await this.client.previewVoiceStack(request, this.context(options))).document);
  }

  async previewVoice(body: Json, options: WriteOptions = {}): Promise<{ content: Buffer; ignoredFields: string[] }> {
    const organizationId = options.organizationId ?? this.organizationId;
    const request = { organizationId, body: documentOf('VoicePreviewCreate', body) };
    return this.client.previewVoice(request, this.context(options), { deadlineMs: 30_000 });
  }

  private request(agentId: string, { organizationId }: WriteOptions): { agentId: string; organizationId: string } {
    return { agentId, organizationId: organizationId ?? this.organizationId };
  }

  private context({ as }: WriteOptions = {}): { requestId: string; caller: Caller } {
    return { requestId: randomUUID(), caller: as ?? customerCaller(this.organizationId) };
  }
}

/** An operator who names no organization. */
export const operator: WriteOptions = { as: operatorCaller, organizationId: '' };

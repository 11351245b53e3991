import path from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import type { AnyRoute, Publication } from '@parley/contract';
import { notFound } from '@parley/errors';
import { ensureStream, streams } from '@parley/outbox';
import { AgentForCall, AgentsServiceService, type AgentsServiceServer } from '@parley/proto/agents';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import {
  createLogger,
  createNats,
  createRedis,
  documentOf,
  grpcClient as connect,
  grpcService,
  jsonOf,
  newId,
  Registry,
  systemClock,
  type Closable,
  type Database,
  type NatsConnections,
} from '@parley/runtime';
import {
  inProcessGrpc,
  privateNats,
  publicClient,
  requestPublic,
  testDatabase,
  testIdentity,
  type PublicTestAnswer,
  type PublicTestRequest,
} from '@parley/testing';
import { build } from '../src/build';
import { InsightsConfig } from '../src/config';
import { storedCredentials, type KeptCredential } from './stored-credentials';

/** A call of telephony, with the stored extractions. */
export interface KeptCall {
  readonly callId: string;
  readonly organizationId: string;
  readonly agentId: string;
  transcript: object | undefined;
  readonly recorded: Map<number, { runId: string; status: string; body: Record<string, unknown>; simulated: boolean }>;
  /** Every request to record, in its order. */
  readonly requests: string[];
}

export interface Replica {
  request<R extends AnyRoute>(route: R, request: PublicTestRequest<R>): Promise<PublicTestAnswer<R>>;
  /** Stops like a process that is killed. */
  stop(): Promise<void>;
}

export interface InsightsBench {
  readonly db: Database;
  readonly calls: Map<string, KeptCall>;
  /** Credentials that organizations have. */
  readonly credentials: KeptCredential[];
  /** The credential that an agent binds for its model, by agent. */
  readonly bound: Map<string, string>;
  readonly platform: Map<string, { secret: string; baseUrl: string }>;
  /** The credentials that auth opened. */
  readonly opened: string[];
  /** Deletes the agent. */
  deleteAgent(agentId: string): void;
  /** @param draft the stored configuration that is not published */
  addAgent(publication?: Partial<Publication>, draft?: Partial<Publication>): AgentForCall;
  /** A call that is over, with its transcript. */
  addCall(agent: AgentForCall, said: readonly [speaker: string, text: string][]): KeptCall;
  /** Publishes that the transcript of the call is ready; the same event again with its id. */
  publish(call: KeptCall, eventId?: string): Promise<string>;
  replica(settings?: Partial<InsightsConfig>): Promise<Replica>;
  close(): Promise<void>;
}

const log = createLogger({ service: 'test', level: (process.env['TEST_LOG'] as 'info' | undefined) ?? 'silent' });

export const schemaFile = path.join(__dirname, '../schema.sql');

/** The service next to fakes of the others, on a database and a NATS server of its own. */
export async function insightsBench(): Promise<InsightsBench> {
  const database = await testDatabase({ schemaFile, schema: 'insights', poolSize: 10, checkCrossTenantReads: true });
  const nats = await privateNats();
  const connections: NatsConnections[] = [];
  const connected = (): NatsConnections => {
    const connection = createNats({ url: nats.url, name: 'insights', log });
    connections.push(connection);
    return connection;
  };
  const publisher = connected();
  await ensureStream(await publisher.manager(), streams.EVENTS);
  await ensureStream(await publisher.manager(), streams.AUDIT);
  const agents = new Map<string, AgentForCall>();
  const publications = new Map<string, object>();
  const bench = {
    calls: new Map<string, KeptCall>(),
    credentials: [] as InsightsBench['credentials'],
    bound: new Map<string, string>(),
    platform: new Map<string, { secret: string; baseUrl: string }>(),
    opened: [] as string[],
  };
  const fakes = await inProcessGrpc(fakeServices(bench, agents, publications));
  const running = new Set<Replica>();
  return {
    ...bench,
    db: database.db,
    deleteAgent: (agentId) => void agents.delete(agentId),
    addAgent(publication = {}, draft = publication) {
      const agent = AgentForCall.fromPartial({
        agentId: newId('agt'),
        organizationId: newId('org'),
        projectId: newId('prj'),
        status: 'active',
        mode: 'hosted',
        publicationVersion: 1,
        publicationSha256: newId('agt'),
      });
      agents.set(agent.agentId, agent);
      agent.tuning = documentOf('CallTuning', { tools: [], recording_enabled: false });
      const usual = { system_prompt: 'Book an appointment.', first_message: 'Hi.', language: 'en', languages: ['en'] };
      const simulated = { provider: 'simulator', model: 'simulator' };
      const components = { transcriber: simulated, model: simulated, voice: simulated };
      const shared = { ...usual, ...components, voice_frontend: 'cascade', profiles: [] };
      publications.set(agent.publicationSha256, { ...shared, ...publication });
      publications.set(`draft of ${agent.publicationSha256}`, { ...shared, ...draft });
      return agent;
    },
    addCall({ organizationId, agentId }, said) {
      const turns = said.map(([speaker, text], at) => ({
        ...{ turn_id: `t${at}`, speaker, text },
        ...{ started_ms: at * 1_000, ended_ms: at * 1_000 + 900 },
      }));
      const call: KeptCall = {
        callId: newId('call'),
        ...{ organizationId, agentId, transcript: { language: 'en', turns } },
        recorded: new Map(),
        requests: [],
      };
      bench.calls.set(call.callId, call);
      return call;
    },
    async publish({ organizationId, agentId, callId }, eventId = newId('evt')) {
      const payload = { id: eventId, organization_id: organizationId, agent_id: agentId, resource_id: callId };
      const js = jetstream(await publisher.connection());
      // A unique message id, because the stream would drop a repeated one.
      await js.publish(`events.v1.${organizationId}.call.transcript.ready`, JSON.stringify(payload), {
        msgID: `${eventId}.${newId('evt')}`,
      });
      return eventId;
    },
    async replica(settings = {}) {
      const config = Object.assign(new InsightsConfig(), {
        ...{ parleyEnv: 'development', authAddress: fakes.address, agentsAddress: fakes.address },
        ...{ telephonyAddress: fakes.address, voiceStackAddress: fakes.address },
        ...settings,
      });
      const clients: Closable[] = [];
      const parts = build({
        ...{ config, log, db: database.db, nats: connected(), metrics: new Registry(), clock: systemClock },
        redis: createRedis({ name: 'test', log }),
        identity: () => testIdentity('insights'),
        client(definition, target, server) {
          const client = connect(definition, target, { identity: testIdentity('insights'), server });
          clients.push(client);
          return client;
        },
        publicClient: () => {
          throw new Error('insights asks no public routes');
        },
        signal: new AbortController().signal,
      });
      const background = [...(parts.consumers ?? []), ...(parts.jobs ?? [])];
      for (const part of background) await part.start();
      const server = await inProcessGrpc(parts.grpc ?? []);
      const routes = publicClient(server.address);
      const replica: Replica = {
        request: (route, request) => requestPublic(routes, route, request),
        async stop() {
          if (!running.delete(replica)) return;
          routes.close();
          await server.stop();
          for (const part of background.reverse()) await part.stop();
          for (const client of clients) client.close();
        },
      };
      running.add(replica);
      return replica;
    },
    async close() {
      for (const replica of running) await replica.stop();
      for (const connection of connections) await connection.close();
      await fakes.stop();
      await nats.close();
      await database.drop();
    },
  };
}

/** What the other services answer, over real gRPC. */
function fakeServices(
  bench: Pick<InsightsBench, 'calls' | 'credentials' | 'bound' | 'platform' | 'opened'>,
  agents: ReadonlyMap<string, AgentForCall>,
  publications: ReadonlyMap<string, object>,
) {
  const { getAgentForCall, getAgentForSimulation, getCallSecrets } = AgentsServiceService;
  const { getPublication, getCatalogue, getPlatformCredentials } = VoiceStackServiceService;
  const { readForExtraction, recordExtraction, listTranscribedCalls } = TelephonyServiceService;
  const agentOf = (organizationId: string, agentId: string): AgentForCall => {
    const agent = agents.get(agentId);
    if (agent === undefined || (organizationId !== '' && organizationId !== agent.organizationId))
      throw notFound('agent');
    return agent;
  };
  const callOf = (organizationId: string, callId: string): KeptCall => {
    const call = bench.calls.get(callId);
    if (call?.organizationId !== organizationId || call.transcript === undefined) throw notFound('transcript');
    return call;
  };
  return [
    grpcService<Pick<AgentsServiceServer, 'getAgentForCall' | 'getAgentForSimulation' | 'getCallSecrets'>>(
      { getAgentForCall, getAgentForSimulation, getCallSecrets },
      {
        async getAgentForCall({ organizationId, agentId }) {
          return agentOf(organizationId, agentId);
        },
        async getAgentForSimulation({ organizationId, agentId, target, version }) {
          const agent = agentOf(organizationId, agentId);
          const { publicationSha256: sha256 } = agent;
          if (target === 'draft') return { ...agent, publicationVersion: 0, publicationSha256: `draft of ${sha256}` };
          if (target === 'version' && version !== agent.publicationVersion) throw notFound('publication');
          return agent;
        },
        async getCallSecrets({ organizationId, agentId }) {
          const llm = bench.bound.get(agentOf(organizationId, agentId).agentId);
          const bindings: Record<string, string> = llm === undefined ? {} : { llm };
          return { bindings, tools: [], connections: [], external: undefined };
        },
      },
    ),
    storedCredentials(bench),
    grpcService<Pick<VoiceStackServiceServer, 'getPublication' | 'getCatalogue' | 'getPlatformCredentials'>>(
      { getPublication, getCatalogue, getPlatformCredentials },
      {
        async getPublication({ organizationId, sha256 }) {
          const content = publications.get(sha256);
          if (content === undefined) throw notFound('publication');
          return { organizationId, sha256, content: documentOf('Publication', content), createdAt: '' };
        },
        async getCatalogue() {
          const models = [{ provider: 'openai_compatible', models: [{ model: 'm', cost_micros_per_minute: 8_960 }] }];
          const engines = { conversation_engines: { cascade: { has_language_axis: true } } };
          const catalogue = { models, ...engines, transcribers: [], voices: [] };
          return { catalogue: documentOf('Catalogue', catalogue), version: '1' };
        },
        async getPlatformCredentials({ providers }) {
          const credentials = providers.flatMap((provider) => {
            const account = bench.platform.get(provider);
            return account === undefined ? [] : [{ provider, ...account }];
          });
          return { credentials };
        },
      },
    ),
    grpcService<Pick<TelephonyServiceServer, 'readForExtraction' | 'recordExtraction' | 'listTranscribedCalls'>>(
      { readForExtraction, recordExtraction, listTranscribedCalls },
      {
        async readForExtraction({ organizationId, callId, revision }) {
          const call = callOf(organizationId, callId);
          return {
            ...{ agentId: call.agentId, endedReason: 'callee_hung_up', recorded: call.recorded.get(revision) },
            transcript: documentOf('Transcript', call.transcript ?? {}),
            publicationSha256: agents.get(call.agentId)?.publicationSha256 ?? '',
          };
        },
        async recordExtraction({ organizationId, callId, revision, runId, status, extraction, simulated }) {
          const call = callOf(organizationId, callId);
          call.requests.push(runId);
          const earlier = call.recorded.get(revision);
          if (earlier === undefined || (earlier.status === 'failed' && earlier.runId !== runId))
            call.recorded.set(revision, { runId, status, body: jsonOf(extraction), simulated });
          return { recorded: call.recorded.get(revision) };
        },
        async listTranscribedCalls({ organizationId, agentId, afterCallId, limit }) {
          const callIds = [...bench.calls.values()]
            .filter((call) => call.organizationId === organizationId && call.agentId === agentId)
            .map(({ callId }) => callId)
            .filter((callId) => callId > afterCallId)
            .sort();
          return { callIds: callIds.slice(0, limit) };
        },
      },
    ),
  ];
}

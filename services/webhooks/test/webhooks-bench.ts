import { randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  routes,
  type AgentEndpointCreated,
  type AnyRoute,
  type DeliverySummary,
  type EventType,
} from '@parley/contract';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import {
  createLogger,
  createNats,
  createRedis,
  newId,
  Registry,
  systemClock,
  type Caller,
  type Closable,
  type Database,
  type GrpcClient,
  type NatsConnections,
  type OutgoingContext,
  type PublicClient,
} from '@parley/runtime';
import {
  customerCaller,
  grpcClient,
  inProcessGrpc,
  privateNats,
  publicClient,
  requestPublic,
  testDatabase,
  type PrivateNats,
  type PublicTestAnswer,
  type PublicTestRequest,
} from '@parley/testing';
import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import { ensureStream, streams } from '@parley/outbox';
import { build } from '../src/build';
import { WebhooksConfig } from '../src/config';

export const schemaFile = path.join(__dirname, '../schema.sql');

export interface ReplicaOptions {
  readonly leaseSeconds?: number;
  readonly slots?: number;
  readonly development?: boolean;
  readonly allowedCidrs?: string;
  /** The maximum number of endpoints of an organization. Default: more than any test creates. */
  readonly maxEndpoints?: number;
  /** Serves only gRPC: no event consumer and no deliveries. */
  readonly passive?: boolean;
}

/** A replica of the service in this process, served over gRPC. */
export interface Replica {
  /** The RPCs for other services. */
  readonly client: GrpcClient<WebhooksServiceServer>;
  /** Sends a request to a public route. Default caller: a customer of the test organization with every scope; null sends none. */
  request<R extends AnyRoute>(route: R, request?: PublicTestRequest<R>): Promise<PublicTestAnswer<R>>;
  /** The metrics in the Prometheus format. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

export interface TestEvent {
  readonly id: string;
  readonly type: EventType;
  readonly payload: string;
}

export interface WebhooksBench {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly vaultKeys: string;
  readonly nats: PrivateNats;
  readonly organizationId: string;
  readonly projectId: string;
  replica(options?: ReplicaOptions): Promise<Replica>;
  /** Creates an endpoint at this address. */
  endpoint(replica: Replica, webhookUrl: string, extra?: Record<string, unknown>): Promise<AgentEndpointCreated>;
  /** Publishes an event of the test project and organization, like the relay of another service. */
  publish(type: EventType, extra?: Record<string, unknown>): Promise<TestEvent>;
  /** The audit events that this service published. */
  acts(): Promise<Record<string, unknown>[]>;
  /** Publishes an event again, unchanged. */
  republish(event: TestEvent): Promise<void>;
  manager(): Promise<JetStreamManager>;
  context(caller?: Caller): OutgoingContext;
  /** The deliveries of an endpoint, newest first. */
  deliveries(replica: Replica, endpointId: string): Promise<DeliverySummary[]>;
  close(): Promise<void>;
}

const vaultKeys = `k1:${randomBytes(32).toString('base64')}`;
const log = createLogger({
  service: 'webhooks-test',
  level: process.env['TEST_LOG'] === undefined ? 'silent' : 'debug',
});

export async function webhooksBench(): Promise<WebhooksBench> {
  const database = await testDatabase({ schemaFile, schema: 'webhooks', poolSize: 20, checkCrossTenantReads: true });
  const nats = await privateNats();
  const connections: NatsConnections[] = [];
  const connect = (): NatsConnections => {
    const connection = createNats({ url: nats.url, name: 'webhooks-test', log });
    connections.push(connection);
    return connection;
  };
  const publisher = connect();
  await ensureStream(await publisher.manager(), streams.EVENTS);
  await ensureStream(await publisher.manager(), streams.AUDIT);
  const running = new Set<Replica>();
  const [organizationId, projectId] = [newId('org'), newId('prj')];
  let counter = 0;

  const send = async ({ id, type, payload }: TestEvent): Promise<void> => {
    const js = jetstream(await publisher.connection());
    await js.publish(`events.v1.${organizationId}.${type}`, payload, { msgID: id });
  };

  const context = (caller: Caller = customerCaller(organizationId)): OutgoingContext => ({ caller, requestId: 'test' });

  return {
    db: database.db,
    databaseUrl: database.url,
    vaultKeys,
    nats,
    organizationId,
    projectId,
    context,
    manager: () => publisher.manager(),
    async replica(options = {}) {
      const config = Object.assign(new WebhooksConfig(), {
        parleyEnv: options.development === false ? 'production' : 'development',
        vaultKeys,
        webhookLeaseSeconds: options.leaseSeconds ?? 20,
        webhookMaxConcurrency: options.slots ?? 64,
        webhookAllowedCidrs: options.allowedCidrs,
        webhookMaxEndpoints: options.maxEndpoints ?? 10_000,
      });
      const metrics = new Registry();
      const leaving = new AbortController();
      const parts = build({
        config,
        db: database.db,
        nats: connect(),
        log,
        metrics,
        clock: systemClock,
        signal: leaving.signal,
        redis: createRedis({ name: 'webhooks-test', log }),
        client: neverUsed,
        publicClient: neverUsed,
        identity: neverUsed,
      });
      const background = options.passive === true ? [] : [...(parts.consumers ?? []), ...(parts.jobs ?? [])];
      for (const one of background) await one.start();
      const server = await inProcessGrpc(parts.grpc ?? []);
      const client: GrpcClient<WebhooksServiceServer> & Closable = grpcClient<WebhooksServiceServer>(
        WebhooksServiceService,
        server.address,
      );
      const requests: PublicClient & Closable = publicClient(server.address);
      const replica: Replica = {
        client,
        request: (route, { caller = customerCaller(organizationId), ...request } = {}) =>
          requestPublic(requests, route, { caller, ...request }),
        metrics: () => metrics.metrics(),
        stop: async () => {
          running.delete(replica);
          leaving.abort();
          client.close();
          requests.close();
          await server.stop();
          for (const one of background.reverse()) await one.stop();
        },
      };
      running.add(replica);
      return replica;
    },
    async endpoint(replica, webhookUrl, extra = {}) {
      const answer = await replica.request(routes.createAgentEndpoint, {
        body: {
          organization_id: organizationId,
          project_id: projectId,
          webhook_url: webhookUrl,
          audio_stream_url: 'wss://audio.example.com/stream',
          ...extra,
        },
      });
      return answer.body;
    },
    async publish(type, extra = {}) {
      counter += 1;
      const id = newId('evt');
      const event = {
        id,
        type,
        created_at: new Date().toISOString(),
        organization_id: organizationId,
        project_id: projectId,
        agent_id: newId('agt'),
        resource_id: newId('call'),
        resource_seq: counter,
        data: { text: 'ä "quoted" \u2028', n: counter },
        ...extra,
      };
      const payload = JSON.stringify(event);
      await send({ id, type, payload });
      return { id, type, payload };
    },
    async acts() {
      const { rows } = await database.db.query<{ payload: string }>({
        text: `select payload from outbox where stream = 'AUDIT' and published_at is not null order by position`,
      });
      return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
    },
    republish: (event) => send(event),
    async deliveries(replica, endpointId) {
      const params = { agent_endpoint_id: endpointId };
      return (await replica.request(routes.listDeliveries, { params, query: { limit: 100 } })).body.data;
    },
    async close() {
      for (const replica of [...running]) await replica.stop();
      for (const connection of connections) await connection.close();
      await nats.close();
      await database.drop();
    },
  };
}

/** Stands for dependencies that this service does not use. */
function neverUsed(): never {
  throw new Error('not part of this service');
}

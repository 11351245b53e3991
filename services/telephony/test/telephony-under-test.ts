import { join } from 'node:path';
import type { AnyRoute } from '@parley/contract';
import { streamKeeper } from '@parley/outbox';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import {
  createDatabase,
  createLogger,
  grpcClient as connect,
  createNats,
  createRedis,
  Registry,
  systemClock,
  type Closable,
  type Database,
  type GrpcClient,
} from '@parley/runtime';
import {
  grpcClient,
  inProcessGrpc,
  testIdentity,
  publicClient,
  requestPublic,
  testDatabase,
  testNatsUrl,
  type PublicTestAnswer,
  type PublicTestRequest,
  type TestDatabase,
} from '@parley/testing';
import { build, TelephonyConfig } from '../src';
import { declareWorkers } from './declared-workers';
import { fakeServices, type FakeServices } from './fake-services';

export interface Instance {
  readonly client: GrpcClient<TelephonyServiceServer>;
  /** Sends a request to a public route, as the gateway forwards it. */
  request<R extends AnyRoute>(route: R, request: PublicTestRequest<R>): Promise<PublicTestAnswer<R>>;
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
  /** Drains the process: it hands out no more work and still serves all other requests. */
  drain(): void;
  /** Stops the process like a crash: without draining and without notice. */
  stop(): Promise<void>;
}

export interface UnderTest {
  readonly fakes: FakeServices;
  readonly db: Database;
  readonly database: TestDatabase;
  /** Starts another telephony process on the same database. */
  start(settings?: Partial<TelephonyConfig>): Promise<Instance>;
  stop(): Promise<void>;
}

const log = createLogger({ service: 'test', level: (process.env['TEST_LOG'] as 'info' | undefined) ?? 'silent' });

/** A separate database, fakes of the called services, and as many telephony instances as the test starts. */
export async function telephonyUnderTest(): Promise<UnderTest> {
  const database = await testDatabase({
    schemaFile: join(__dirname, '..', 'schema.sql'),
    schema: 'telephony',
    checkCrossTenantReads: true,
  });
  const fakes = await fakeServices();
  await declareWorkers(database.db);
  // Auth creates the streams, because telephony's NATS user cannot.
  const authsNats = createNats({ url: testNatsUrl('auth'), name: 'auth', log });
  const keeper = streamKeeper({ nats: authsNats, log, recordingsBytes: 256 * 1024 ** 2 });
  await keeper.start();
  const instances = new Set<Instance>();
  return {
    fakes,
    db: database.db,
    database,
    async start(settings = {}) {
      const instance = await startInstance(database, fakes.address, settings);
      instances.add(instance);
      return instance;
    },
    async stop() {
      for (const instance of instances) await instance.stop();
      await keeper.stop();
      await authsNats.close();
      await fakes.stop();
      await database.drop();
    },
  };
}

async function startInstance(
  database: TestDatabase,
  address: string,
  settings: Partial<TelephonyConfig>,
): Promise<Instance> {
  const config = Object.assign(new TelephonyConfig(), {
    agentsAddress: address,
    voiceStackAddress: address,
    authAddress: address,
    knowledgeAddress: address,
    webhooksAddress: address,
    simulatorCarrier: 'on',
    translationProvider: 'simulator',
    vaultKeys: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    mediaStreamUrl: 'wss://media.example/calls?region=eu&v=1',
    mediaPublicUrl: 'wss://media.example/lines/',
    // By default the output equals the input, byte for byte; tests of transcoding override this.
    recordingsFormat: 'wav',
    ...settings,
  });
  const clients: Closable[] = [];
  const draining = new AbortController();
  const db = createDatabase({ url: database.url, schema: 'telephony', log });
  database.observe(db);
  const nats = createNats({ url: settings.natsUrl ?? testNatsUrl('telephony'), name: 'telephony', log });
  const metrics = new Registry();
  const parts = build({
    config,
    log,
    db,
    nats,
    redis: createRedis({ name: 'test', log }),
    metrics,
    clock: systemClock,
    identity: () => testIdentity('telephony'),
    client(definition, target, server) {
      const client = connect(definition, target, { identity: testIdentity('telephony'), server });
      clients.push(client);
      return client;
    },
    publicClient(server, target) {
      const client = publicClient(target, { server, identity: testIdentity('telephony') });
      clients.push(client);
      return client;
    },
    signal: draining.signal,
  });
  const background = [...(parts.consumers ?? []), ...(parts.jobs ?? [])];
  for (const part of background) await part.start();
  const server = await inProcessGrpc(parts.grpc ?? []);
  const client = grpcClient<TelephonyServiceServer>(TelephonyServiceService, server.address);
  const routes = publicClient(server.address);
  let stopped = false;
  return {
    client,
    request: (route, request) => requestPublic(routes, route, request),
    async metric(name) {
      const value = (await metrics.getSingleMetric(name)?.get())?.values[0]?.value;
      if (value === undefined) throw new Error(`no metric ${name}`);
      return value;
    },
    drain: () => draining.abort(),
    async stop() {
      if (stopped) return;
      stopped = true;
      draining.abort();
      client.close();
      routes.close();
      await server.stop();
      for (const part of background.reverse()) await part.stop();
      for (const other of clients) other.close();
      await nats.close();
      await db.pool.end();
    },
  };
}

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { createLogger, createNats, type Background, type Database, type NatsConnections } from '@parley/runtime';
import { privateNats, testDatabase, type PrivateNats, type TestDatabase } from '@parley/testing';
import {
  append,
  createConsumer,
  createRelay,
  type ConsumedEvent,
  type ConsumerOptions,
  type OutboxEvent,
  type Relay,
  type RelayOptions,
} from '../src';

export const log = createLogger({ service: 'outbox-test', level: 'silent' });

/** A temporary database with the outbox, a temporary NATS server, and everything that a test starts on them; `close` stops all. */
export interface OutboxBench {
  readonly db: Database;
  /** The URL of an administrator; its search_path is not that of the service. */
  readonly adminUrl: string;
  readonly server: PrivateNats;
  readonly nats: NatsConnections;
  readonly manager: JetStreamManager;
  relay(
    options?: Partial<Pick<RelayOptions, 'db' | 'reconcileMs' | 'lookForLostMs' | 'pollMs' | 'batch' | 'metrics'>>,
  ): Relay;
  consumer(options: Pick<ConsumerOptions, 'handle'> & Partial<ConsumerOptions>): Background;
  close(): Promise<void>;
}

export async function outboxBench(): Promise<OutboxBench> {
  const schemaFile = path.join(__dirname, 'schema.sql');
  const database: TestDatabase = await testDatabase({ schemaFile, schema: 'outbox_test', poolSize: 20 });
  const server = await privateNats();
  const connections: NatsConnections[] = [];
  const connect = (): NatsConnections => {
    const nats = createNats({ url: server.url, name: 'outbox-test', log });
    connections.push(nats);
    return nats;
  };
  const nats = connect();
  const started: Background[] = [];
  const begin = <T extends Background>(background: T): T => {
    started.push(background);
    Promise.resolve(background.start()).catch((error: unknown) => log.error({ err: error }));
    return background;
  };
  return {
    db: database.db,
    adminUrl: database.adminUrl,
    server,
    nats,
    manager: await jetstreamManager(await nats.connection(), { checkAPI: false }),
    relay: (options = {}) =>
      begin(createRelay({ db: database.db, nats: connect(), log, producer: 'test', ...options })),
    consumer: (options) =>
      begin(
        createConsumer({
          db: database.db,
          nats: connect(),
          log,
          stream: 'EVENTS',
          durable: 'test',
          subjects: ['events.v1.>'],
          ackWaitSeconds: 2,
          ...options,
        }),
      ),
    close: async () => {
      for (const background of started.reverse()) await background.stop();
      for (const connection of connections) await connection.close();
      await server.close();
      await database.drop();
    },
  };
}

const run = randomBytes(4).toString('hex');
let counter = 0;

/** An event of a resource, or without an ordering key if `resource` is undefined. */
export function eventOf(resource: string | undefined, seq: number): OutboxEvent {
  counter += 1;
  const id = `evt_${run}${String(counter).padStart(18, '0')}`;
  return {
    id,
    stream: 'EVENTS',
    subject: 'events.v1.org_1.call.created',
    payload: JSON.stringify({ id, resource_id: resource, resource_seq: seq, data: { text: `"ä\\${seq}` } }),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
}

/** Commits each event in its own transaction. */
export async function commitEach(db: Database, events: readonly OutboxEvent[]): Promise<void> {
  for (const event of events) await db.transaction((tx) => append(tx, [event]));
}

/** The number of rows that are waiting to be published. */
export async function waiting(db: Database): Promise<number> {
  const { rows } = await db.query<{ count: string }>({
    text: 'select count(*) from outbox where published_at is null',
  });
  return Number(rows[0]?.count);
}

/** Records what a consumer received: every delivery, and the distinct payloads of each id. */
export class Received {
  readonly deliveries: ConsumedEvent[] = [];
  readonly payloads = new Map<string, Set<string>>();

  readonly take = (event: ConsumedEvent): Promise<void> => {
    this.deliveries.push(event);
    const seen = this.payloads.get(event.id) ?? new Set<string>();
    this.payloads.set(event.id, seen.add(event.payload));
    return Promise.resolve();
  };

  /** True when each event arrived at least once and only ever with the bytes it was appended with. */
  holds(events: readonly OutboxEvent[]): true | undefined {
    return events.every(({ id, payload }) => {
      const seen = this.payloads.get(id);
      return seen?.size === 1 && seen.has(payload);
    })
      ? true
      : undefined;
  }
}

import type { Database } from '@parley/runtime';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import { releaseEndpoints, renewLeases } from '../src/deliveries/endpoint-leases.cross-tenant.sql';
import { resumeStranded, writeHealth } from '../src/deliveries/results.cross-tenant.sql';
import { restartQueue, wakeQueue } from '../src/endpoints/waiting-deliveries.sql';
import { wakeQueues } from '../src/events/record-events.cross-tenant.sql';
import { schemaFile } from './webhooks-bench';

const changeOf = (endpointId: string) => ({ endpointId, health: 'healthy' as const, failures: 0 });

/** Statements that change several queues. Storage and arguments have the endpoints in reverse order. */
const statements: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  renewLeases: (db) => renewLeases(db, 'me', 60, ['ep_b', 'ep_a']),
  writeHealth: (db) => writeHealth(db, 'me', [changeOf('ep_b'), changeOf('ep_a')], 5),
  resumeStranded: (db) => db.transaction((tx) => resumeStranded(tx, ['dlv_b', 'dlv_a'])),
};

/** The statements that wait for the lock of a queue and change it. */
const changes: typeof statements = {
  ...statements,
  wakeQueues: (db) => wakeQueues(db, ['ep_a']),
  wakeQueue: (db) => wakeQueue(db, 'o', 'ep_a'),
  restartQueue: (db) => restartQueue(db, 'o', 'ep_a'),
  releaseEndpoints: (db) => releaseEndpoints(db, 'me', ['ep_a']),
};

const waitingForLock = (db: Database): Promise<true> =>
  eventually(async () => {
    const { rows } = await db.query({
      text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return rows.length === 1 ? true : undefined;
  });

describe('endpoint queues', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile, schema: 'webhooks' });
    for (const name of ['b', 'a']) {
      const values = [`ep_${name}`, `dlv_${name}`];
      await database.db.query({
        text: `insert into endpoints (organization_id, id, project_id, webhook_url, audio_stream_url, events)
          values ('o', $1, 'p', 'u', 'u', '{call.ended}')`,
        values: values.slice(0, 1),
      });
      await database.db.query({
        text: `insert into endpoint_queues (organization_id, endpoint_id, leased_by, lease_until) values ('o', $1, 'me', 'infinity')`,
        values: values.slice(0, 1),
      });
      await database.db.query({
        text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status)
          values ('o', $2, $1, 'evt_1', 'call.ended', 0, 'parked')`,
        values,
      });
    }
  });
  afterAll(() => database.drop());

  it.each(Object.entries(statements))(
    '%s locks queues in the order of the endpoint ids, so that statements cannot deadlock',
    async (_name, run) => {
      const { db } = database;
      let running: Promise<unknown> = Promise.resolve();
      await db.transaction(async (tx) => {
        await tx.query({ text: `select from endpoint_queues where endpoint_id = 'ep_a' for update` });
        running = run(db);
        await waitingForLock(db);
        const free = await db.query({
          text: `select from endpoint_queues where endpoint_id = 'ep_b' for update nowait`,
        });
        expect(free.rowCount).toBe(1);
      });
      await running;
    },
  );

  it.each(Object.entries(changes))(
    '%s changes a queue that another transaction changed after the version that the statement saw first',
    async (_name, run) => {
      const { db } = database;
      const version = async (): Promise<unknown> =>
        (await db.query({ text: `select ctid from endpoint_queues where endpoint_id = 'ep_a'` })).rows;
      let running: Promise<unknown> = Promise.resolve();
      let locked: unknown;
      await db.query({ text: `update endpoint_queues set leased_by = 'me', lease_until = 'infinity'` });
      await db.query({ text: `update deliveries set status = 'parked', next_attempt_at = null` });
      await db.transaction(async (tx) => {
        const { rows } = await tx.query({
          text: `update endpoint_queues set due_at = null where endpoint_id = 'ep_a' returning ctid`,
        });
        locked = rows;
        running = run(db);
        await waitingForLock(db);
      });
      await running;
      expect(await version()).not.toEqual(locked);
    },
  );
});

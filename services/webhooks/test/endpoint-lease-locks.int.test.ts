import type { Database } from '@parley/runtime';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import { renewLeases } from '../src/deliveries/endpoint-leases.cross-tenant.sql';
import { resumeStranded, writeHealth } from '../src/deliveries/results.cross-tenant.sql';
import { migrations } from './webhooks-bench';

const changeOf = (endpointId: string) => ({ endpointId, health: 'healthy' as const, failures: 0 });

/** Statements that change several queues. Storage and arguments have the endpoints in reverse order. */
const statements: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  renewLeases: (db) => renewLeases(db, 'me', 60, ['ep_b', 'ep_a']),
  writeHealth: (db) => writeHealth(db, 'me', [changeOf('ep_b'), changeOf('ep_a')], 5),
  resumeStranded: (db) => db.transaction((tx) => resumeStranded(tx, ['dlv_b', 'dlv_a'])),
};

describe('locks on endpoint queues are taken in the order of the endpoint ids, so that statements cannot deadlock', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ migrations, schema: 'webhooks' });
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
    '%s locks no later queue while it waits for an earlier one',
    async (_name, run) => {
      const { db } = database;
      let running: Promise<unknown> = Promise.resolve();
      await db.transaction(async (tx) => {
        await tx.query({ text: `select from endpoint_queues where endpoint_id = 'ep_a' for update` });
        running = run(db);
        await eventually(async () => {
          const { rows } = await db.query({
            text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          });
          return rows.length === 1 ? true : undefined;
        });
        const free = await db.query({
          text: `select from endpoint_queues where endpoint_id = 'ep_b' for update nowait`,
        });
        expect(free.rowCount).toBe(1);
      });
      await running;
    },
  );
});

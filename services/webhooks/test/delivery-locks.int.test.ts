import type { Database } from '@parley/runtime';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import pg from 'pg';
import { parkWaiting, resumeStranded, writeResults, type Result } from '../src/deliveries/results.cross-tenant.sql';
import { recoverNext } from '../src/endpoints/recoveries.cross-tenant.sql';
import { cancelWaiting, resumeParked } from '../src/endpoints/waiting-deliveries.sql';
import { schemaFile } from './webhooks-bench';

const resultOf = (name: string): Result => ({
  organizationId: 'o',
  deliveryId: `dlv_${name}`,
  endpointId: 'ep',
  eventId: `evt_${name === 'b' ? 1 : 2}`,
  eventType: 'call.ended',
  number: 1,
  status: 'failed',
  startedAt: new Date(),
  latencyMs: 1,
  responseBody: '',
});

const recovery = {
  id: 'rec_1',
  organization_id: 'o',
  endpoint_id: 'ep',
  since: new Date(0),
  generation: 1,
  with_failed: true,
  position: '',
  last_position: 'dlv_z',
  active: true,
};

/** Statements that change several deliveries, with the status that they change. */
const statements: Readonly<Record<string, readonly [string, (db: Database) => Promise<unknown>]>> = {
  writeResults: ['pending', (db) => writeResults(db, [resultOf('b'), resultOf('a')])],
  parkWaiting: ['pending', (db) => parkWaiting(db, ['ep'])],
  resumeStranded: ['parked', (db) => resumeStranded(db, ['dlv_b', 'dlv_a'])],
  'cancelWaiting of pending deliveries': ['pending', (db) => cancelWaiting(db, 'o', 'ep')],
  'cancelWaiting of parked deliveries': ['parked', (db) => cancelWaiting(db, 'o', 'ep', ['call.ended'])],
  resumeParked: ['parked', (db) => resumeParked(db, 'o', 'ep')],
  recoverNext: ['failed', (db) => recoverNext(db, recovery, 10)],
};

/** Storage, partitions and arguments have the deliveries in reverse order. */
describe('locks on deliveries are taken in the order of their ids, so that statements cannot deadlock', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile, schema: 'webhooks' });
    const owner = new pg.Client({ connectionString: database.adminUrl });
    await owner.connect();
    await owner.query(`do $$ begin
      create table webhooks.deliveries_first partition of webhooks.deliveries for values from (minvalue) to ('evt_2');
      execute format('alter table webhooks.deliveries_first owner to %I',
        (select tableowner from pg_tables where schemaname = 'webhooks' and tablename = 'deliveries'));
    end $$`);
    await owner.end();
    await database.db.query({
      text: `insert into endpoints (organization_id, id, project_id, webhook_url, audio_stream_url, events)
        values ('o', 'ep', 'p', 'u', 'u', '{call.ended}')`,
    });
  });
  afterAll(() => database.drop());

  /** Runs a statement while another transaction, which then commits, has made this change to the first delivery. */
  async function runNextTo(change: string, run: (db: Database) => Promise<unknown>): Promise<void> {
    const { db } = database;
    let running: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.query({ text: `update deliveries set ${change} where id = 'dlv_a'` });
      running = run(db);
      await eventually(async () => {
        const { rows } = await db.query({
          text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        });
        return rows.length === 1 ? true : undefined;
      });
      const free = await db.query({ text: `select from deliveries where id = 'dlv_b' for update nowait` });
      expect(free.rowCount).toBe(1);
    });
    await running;
  }

  const statuses = async (): Promise<string[]> => {
    const { rows } = await database.db.query<{ status: string }>({ text: 'select status from deliveries order by id' });
    return rows.map(({ status }) => status);
  };

  describe.each(Object.entries(statements))('%s', (_name, [status, run]) => {
    beforeEach(async () => {
      await database.db.query({ text: 'delete from deliveries' });
      for (const [id, event] of [
        ['dlv_b', 'evt_1'],
        ['dlv_a', 'evt_2'],
      ])
        await database.db.query({
          text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, next_attempt_at)
            values ('o', $1, 'ep', $2, 'call.ended', 0, $3, case when $3 = 'pending' then now() end)`,
          values: [id, event, status],
        });
    });

    it('locks no later delivery while it waits for an earlier one', async () => {
      await runNextTo('attempt_count = 0', run);
      const [first, second] = await statuses();
      expect(first).not.toBe(status);
      expect(second).toBe(first);
    });

    it('does not change a delivery that was delivered meanwhile', async () => {
      await runNextTo(`status = 'delivered', next_attempt_at = null, finished_at = now()`, run);
      const [first, second] = await statuses();
      expect(first).toBe('delivered');
      expect(second).not.toBe(status);
    });
  });
});

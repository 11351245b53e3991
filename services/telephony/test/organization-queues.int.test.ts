import { join } from 'node:path';
import { testDatabase, type TestDatabase } from '@parley/testing';
import { pruneQueues } from '../src/books/queue/waiting.cross-tenant.sql';
import { addNumber, claim, place } from './test-caller';
import { telephonyUnderTest } from './telephony-under-test';

describe('pruning of job queues', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile: join(__dirname, '..', 'schema.sql'), schema: 'telephony' });
  });
  afterAll(() => database.drop());

  const queues = async (): Promise<string[]> => {
    const { rows } = await database.db.query<{ organization_id: string }>({
      text: 'select organization_id from organization_queues order by organization_id',
    });
    return rows.map((row) => row.organization_id);
  };

  it('deletes empty queues, and keeps queues with a job and queues locked by an admission', async () => {
    const { db } = database;
    await db.query({
      text: `insert into organization_queues (organization_id) values ('org_busy'), ('org_held'), ('org_idle')`,
    });
    await db.query({
      text: `insert into jobs (job_id, organization_id, call_id, agent_id, kind, available_at)
             values ('job_1', 'org_busy', 'call_1', 'agt_1', 'call', now())`,
    });
    await db.transaction(async (admission) => {
      // Holds the row like an admission before its commit.
      await admission.query({ text: `select pg_advisory_xact_lock_shared(7401, hashtext('org_held'))` });
      expect(await db.transaction((tx) => pruneQueues(tx, 10))).toBe(1);
      expect(await queues()).toEqual(['org_busy', 'org_held']);
    });
    expect(await db.transaction((tx) => pruneQueues(tx, 10))).toBe(1);
    expect(await queues()).toEqual(['org_busy']);
  });

  it('loses no call while calls are placed and claimed', async () => {
    const under = await telephonyUnderTest();
    const telephony = await under.start();
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { db } = under;
    let placing = true;
    const pruning = (async () => {
      while (placing) {
        await db.query({
          text: `update organization_queues set last_served_at = clock_timestamp() - interval '11 seconds' where organization_id <> ''`,
        });
        await db.transaction((tx) => pruneQueues(tx, 10));
      }
    })();
    const claimed = new Set<string>();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const placed = await Promise.all([place(telephony, agent), place(telephony, agent)]);
      ids.push(...placed.map(({ call }) => call.call_id));
      for (const job of await claim(telephony, 10)) claimed.add(job.job_id);
    }
    placing = false;
    await pruning;
    for (const job of await claim(telephony, 100)) claimed.add(job.job_id);
    expect([new Set(ids).size, claimed.size]).toEqual([40, 40]);
    await under.stop();
  });
});

import { declaredCapabilities } from '@parley/contract';
import { systemClock } from '@parley/runtime';
import { claimText, type Floors } from '../src/queue/claim.cross-tenant.sql';
import { extendLeases, lockExpired } from '../src/queue/leases.cross-tenant.sql';
import { WaitingFloors } from '../src/queue/waiting-floors';
import { hostedCapabilities } from './declared-workers';
import { fillQueue } from './fill-queue';
import { telephonyUnderTest, type UnderTest } from './telephony-under-test';

const jobs = 20_000;

/** A transaction holds its snapshot while jobs are queued, leased, kept and finished, so no replaced row version can be removed. */
describe('while another transaction holds an old snapshot', () => {
  let under: UnderTest;

  beforeAll(async () => {
    under = await telephonyUnderTest();
  });
  afterAll(() => under.stop());

  /** The number of buffers that a statement reads. The statement is rolled back. */
  async function buffersOf(text: string, values: unknown[]): Promise<number> {
    let touched = Infinity;
    const rolledBack = new Error('rolled back');
    const work = under.db.transaction(async (tx) => {
      const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
        text: `explain (analyze, buffers, format json) ${text}`,
        values,
      });
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      touched = (plan['Shared Hit Blocks'] ?? Infinity) + (plan['Shared Read Blocks'] ?? Infinity);
      throw rolledBack;
    });
    await work.catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
    return touched;
  }

  const claims = ({ organizationIds, times, rest }: Floors): Promise<number> =>
    buffersOf(claimText, [
      ...['', ['call'], [], [], declaredCapabilities(hostedCapabilities), 'hosted', 'w', 60, 'd'],
      ...[organizationIds, times, rest],
    ]);

  it('a claim skips the finished jobs (few buffers read), and still finds a job that has waited for long', async () => {
    const { db } = under;
    const agent = under.fakes.addAgent();
    await db.transaction(async (snapshot) => {
      await snapshot.query({ text: 'set transaction isolation level repeatable read' });
      await snapshot.query({ text: 'select count(*) from jobs' });
      await fillQueue(db, agent, { count: jobs, dueInSeconds: -7_200 });
      await db.query({
        text: `update jobs set state = 'leased', epoch = 1, worker_id = 'w', lease_expires_at = now() + interval '1 hour'`,
      });
      await db.query({ text: `update jobs set state = 'done', lease_expires_at = null, finished_at = now()` });

      const floors = new WaitingFloors(db, systemClock);
      const beginning: Floors = { organizationIds: [], times: [], rest: '-infinity' };
      expect(await claims(beginning)).toBeGreaterThan(500);
      const none = await floors.current();
      expect(Date.parse(none.rest)).toBeLessThan(Date.now() - 170_000);
      expect(await claims(none)).toBeLessThan(100);

      // A new job, and a job of another queue that has waited since before the floor of all other queues.
      await fillQueue(db, agent, { count: 1, dueInSeconds: -1 });
      const slow = under.fakes.addAgent();
      await fillQueue(db, slow, { count: 1, dueInSeconds: -600 });
      const own = await new WaitingFloors(db, systemClock).current();
      expect(own.organizationIds).toEqual([slow.organizationId]);
      expect(await claims(own)).toBeLessThan(200);
    });
  });

  it('without a snapshot, most heartbeats are HOT updates, which change no index', async () => {
    const { db } = under;
    const organization = under.fakes.addAgent();
    await fillQueue(db, organization, { count: 500 });
    const { rows } = await db.query<{ job_id: string }>({
      text: `update jobs set state = 'leased', epoch = 1, worker_id = 'w', lease_expires_at = now() + interval '1 hour'
             where state = 'queued' and organization_id = $1 returning job_id`,
      values: [organization.organizationId],
    });
    const leases = rows.map(({ job_id: jobId }) => ({ jobId, epoch: '1' }));
    const beats = 10;
    let inPlace = 0;
    for (let beat = 0; beat < beats; beat += 1) {
      await db.transaction(async (tx) => {
        expect(await extendLeases(tx, '', leases, 15)).toHaveLength(500);
        const { rows: counted } = await tx.query<{ n: number }>({
          text: `select n_tup_hot_upd::int as n from pg_stat_xact_user_tables where relid = 'jobs'::regclass`,
        });
        inPlace += counted[0]?.n ?? 0;
      });
    }
    expect(inPlace / (500 * beats)).toBeGreaterThan(0.5);
  });

  it('expired leases are found without an index on their time', async () => {
    const { db } = under;
    const none = { except: [], heard: true, bounded: [] };
    expect(await db.transaction((tx) => lockExpired(tx, none))).toBeUndefined();
    await db.query({
      text: `update jobs set state = 'leased', epoch = 1, worker_id = 'w', lease_expires_at = now() - interval '1 second'
             where job_id = (select job_id from jobs where state = 'queued' limit 1)`,
    });
    expect(await db.transaction((tx) => lockExpired(tx, none))).toBeDefined();
  });
});

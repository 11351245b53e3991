import { declaredCapabilities } from '@parley/contract';
import { systemClock, type Queryable } from '@parley/runtime';
import { readAdmissionSnapshot } from '../src/intake/admission/admission-snapshot.sql';
import { foldDeltas } from '../src/books/analytics/fold-deltas.cross-tenant.sql';
import { addDelta, deltaFloor } from '../src/books/analytics/rollup-deltas.sql';
import { sumCalls } from '../src/books/analytics/usage.sql';
import { eraOf, noteEra } from '../src/books/counter-rows/counter-row.sql';
import { freeSlots } from '../src/lines/lines/line-slots.cross-tenant.sql';
import { lockState, openState, readState, takeRoom } from '../src/books/organizations/organization-state.sql';
import { claimNext, claimText, type Floors } from '../src/books/queue/claim.cross-tenant.sql';
import { extendLeases, lockExpired } from '../src/books/queue/leases.cross-tenant.sql';
import { leaseFloor } from '../src/books/queue/lease-floor.sql';
import { queueFloor } from '../src/books/queue/queue-floor.sql';
import { countWaiting } from '../src/books/queue/waiting.cross-tenant.sql';
import { WaitingFloors } from '../src/books/queue/waiting-floors';
import { probeLeases, readReapState } from '../src/dispatch/worker-jobs/lease-watch.cross-tenant.sql';
import { touchBusyDeclarations } from '../src/dispatch/worker-jobs/unserved.cross-tenant.sql';
import { hostedCapabilities } from './declared-workers';
import { fillQueue } from './fill-queue';
import { buffersOf as buffersIn, leastBuffersOf, withSnapshot as snapshotOf } from './old-snapshot';
import { telephonyUnderTest, type UnderTest } from './telephony-under-test';

const jobs = 20_000;

/** A transaction holds its snapshot while jobs are queued, leased, kept and finished, so no replaced row version can be removed. */
describe('while another transaction holds an old snapshot', () => {
  let under: UnderTest;

  beforeAll(async () => {
    under = await telephonyUnderTest();
  });
  afterAll(() => under.stop());

  const buffersOf = (work: (tx: Queryable) => Promise<unknown>): Promise<number> => buffersIn(under.db, work);
  const withSnapshot = (work: () => Promise<void>): Promise<void> => snapshotOf(under.db, work);

  /** Updates the row of an organization 10,000 times, as in 400 seconds. */
  const age = (table: string, organizationId: string): Promise<unknown> =>
    under.db.query({
      text: `do $$ declare at tid; era_now integer := extract(epoch from clock_timestamp()) / 2; begin
        select ctid into at from ${table} where organization_id = '${organizationId}';
        for n in 1..10000 loop
          update ${table} set era = era_now - 200 + n / 50 where ctid = at returning ctid into at;
        end loop; end $$`,
    });

  const claims = ({ organizationIds, times, rest }: Floors): Promise<number> =>
    buffersOf((tx) =>
      tx.query({
        text: claimText,
        values: [
          ...['', ['call'], [], [], declaredCapabilities(hostedCapabilities), 'hosted', 'w', 60, 'd'],
          ...[organizationIds, times, rest, queueFloor.value],
        ],
      }),
    );

  it('a claim skips the finished jobs (few buffers read), and still finds a job that has waited for long', async () => {
    const { db } = under;
    const agent = under.fakes.addAgent();
    await withSnapshot(async () => {
      await fillQueue(db, agent, { count: jobs, dueInSeconds: -7_200 });
      await db.query({
        text: `update jobs set state = 'leased', epoch = 1, worker_id = 'w', lease_expires_at = now() + interval '1 hour'`,
      });
      await db.query({ text: `update jobs set state = 'done', lease_expires_at = null, finished_at = now()` });

      const floors = new WaitingFloors(db, systemClock);
      const beginning: Floors = { organizationIds: [], times: [], rest: '-infinity' };
      expect(await claims(beginning)).toBeGreaterThan(500);
      const none = await floors.current();
      expect(Date.parse(none.rest)).toBeLessThan(Date.now() - 4_000);
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

  it('leased jobs are read from the start of the oldest lease on', async () => {
    const { db } = under;
    const times = { leaseMs: 15_000, silenceMs: 5_000 };
    const agent = under.fakes.addAgent();
    await withSnapshot(async () => {
      await fillQueue(db, agent, { count: jobs });
      await db.query({
        text: `update jobs set state = 'leased', epoch = 1, worker_id = 'w', lease_expires_at = now() + interval '1 hour'
               where organization_id = $1`,
        values: [agent.organizationId],
      });
      await db.query({
        text: `update jobs set state = 'done', lease_expires_at = null, finished_at = now() where organization_id = $1`,
        values: [agent.organizationId],
      });
      const reading = (): Promise<number> =>
        buffersOf(async (tx) => {
          await probeLeases(tx, times);
          await readReapState(tx, times);
          await lockExpired(tx, { except: [], heard: true, bounded: [] });
          await touchBusyDeclarations(tx);
          await freeSlots(tx);
        });
      expect(await reading()).toBeGreaterThan(2_000);
      // As three minutes later.
      const { rows } = await db.query<{ ms: number }>({
        text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
      });
      leaseFloor.looked((rows[0]?.ms ?? 0) + 180_000, null);
      expect(await reading()).toBeLessThan(200);
    });
  });

  /** What reads or updates the counter row of an organization. */
  const users: readonly (readonly [string, (tx: Queryable, organizationId: string) => Promise<unknown>])[] = [
    ['an admission reads it', (tx, id) => readAdmissionSnapshot(tx, id, look)],
    ['a transaction locks it', (tx, id) => lockState(tx, id)],
    ['a client reads it', (tx, id) => readState(tx, id)],
    ['a call reserves capacity', (tx, id) => takeRoom(tx, id, room)],
    ['a job leaves the queue', (tx, id) => countWaiting(tx, new Map([[id, 0]]))],
  ];
  const look = { route: '/v1/calls', keys: [], from: [], anyNumber: false, to: [] };
  const room = { queued: 0, live: 0, reservedMicros: 0, spendMicros: 0, spendDay: '2026-01-01', recent: '' };
  const rollup = {
    ...{ at: new Date(), projectId: 'prj_1', agentId: 'agt_1', direction: 'outbound', channel: 'phone', carrier: '' },
    ...{ status: 'completed', endedReason: 'completed', calls: 1, answered: 1, durationSeconds: 5, costMicros: 7 },
    turnLatencies: [1, 2],
  };
  const opened = async (): Promise<string> => {
    const { organizationId } = under.fakes.addAgent();
    await openState(under.db, organizationId, 'unmetered', '1');
    return organizationId;
  };

  it.each(users)('%s: the versions of earlier eras are not visited', async (_name, use) => {
    const organizationId = await opened();
    await withSnapshot(async () => {
      await age('organization_controls', organizationId);
      noteEra(organizationId, undefined);
      expect(await buffersOf((tx) => use(tx, organizationId))).toBeGreaterThan(200);
      // The first one has remembered the era.
      expect(await leastBuffersOf(under.db, (tx) => use(tx, organizationId))).toBeLessThan(60);
    });
  });

  it('calls are counted, summed and added to the rollup of their hour without visiting the deltas that were added before', async () => {
    const { db } = under;
    const { organizationId } = under.fakes.addAgent();
    const add = (tx: Queryable): Promise<void> => addDelta(tx, organizationId, rollup);
    const period = { from: new Date(Date.now() - 7_200_000), to: new Date(Date.now() + 7_200_000) };
    const sum = (tx: Queryable) => sumCalls(tx, organizationId, period);
    await withSnapshot(async () => {
      for (let n = 0; n < 5_000; n += 1) await add(db);
      expect(await foldDeltas(db, 10_000)).toBe(5_000);
      expect(await buffersOf(add)).toBeLessThan(20);
      expect(await buffersOf(sum)).toBeGreaterThan(100);
      expect(await buffersOf((tx) => foldDeltas(tx, 100))).toBeGreaterThan(100);
      // As three minutes later.
      deltaFloor.looked(Date.now() + 180_000, null);
      expect(await buffersOf(sum)).toBeLessThan(20);
      expect(await buffersOf((tx) => foldDeltas(tx, 100))).toBeLessThan(20);
    });
    deltaFloor.looked(0, null);
    await add(db);
    expect(await sum(db)).toMatchObject({
      calls: '5001',
      answered: '5001',
      duration_seconds: '25005',
      cost_micros: '35007',
    });
  });

  it.each(users)('%s: it is found although its era is older than the one read last', async (_name, use) => {
    const organizationId = await opened();
    await under.db.query({
      text: 'update organization_controls set era = 100 where organization_id = $1',
      values: [organizationId],
    });
    noteEra(organizationId, 101);
    await use(under.db, organizationId);
    expect(eraOf(organizationId)).toBeGreaterThanOrEqual(100);
    expect((await readState(under.db, organizationId))?.state.billing).toBe('unmetered');
  });

  it('a claim stores when its queue was served only if another queue has a job, or after five seconds', async () => {
    const { db } = under;
    await db.query({ text: `delete from jobs where state = 'queued'` });
    const [first, second] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const serve = (agent: typeof first, ago: string): Promise<unknown> =>
      db.query({
        text: `update organization_queues set last_served_at = clock_timestamp() - $2::interval where organization_id = $1`,
        values: [agent.organizationId, ago],
      });
    /** Whether a claim gets a job of the first queue and changes its time. */
    const changes = async (): Promise<boolean> => {
      const read = { text: 'select last_served_at::text as at from organization_queues where organization_id = $1' };
      const time = async () => (await db.query({ ...read, values: [first.organizationId] })).rows;
      const before = await time();
      const scope = { organizationId: '', kinds: ['call'], workerId: 'w', leaseSeconds: 60, declaration: 'd' };
      const held = { heldOrganizations: [], heldAgents: [], capabilities: declaredCapabilities(hostedCapabilities) };
      const job = await db.transaction((tx) => claimNext(tx, { ...scope, ...held }));
      expect(job?.call.organizationId).toBe(first.organizationId);
      return JSON.stringify(before) !== JSON.stringify(await time());
    };
    await fillQueue(db, first, { count: 3, dueInSeconds: -1 });
    await serve(first, '1 second');
    expect(await changes()).toBe(false);
    await serve(first, '6 seconds');
    expect(await changes()).toBe(true);
    await fillQueue(db, second, { count: 1, dueInSeconds: -1 });
    await serve(second, '0 seconds');
    await serve(first, '1 second');
    expect(await changes()).toBe(true);
  });
});

import { declaredCapabilities, type WorkerJob } from '@parley/contract';
import { partitionKeeper } from '@parley/outbox';
import { eventually } from '@parley/testing';
import { createLogger, systemClock, type Database } from '@parley/runtime';
import { claimText } from '../src/books/queue/claim.cross-tenant.sql';
import { reportRing } from '../src/books/queue/reports.cross-tenant.sql';
import { JobQueue, type JobQueueOptions } from '../src/books/queue/job-queue';
import { claimJobs } from '../src/dispatch/worker-jobs/claim-jobs';
import type { RuntimeConfigurations } from '../src/dispatch/workers/runtime-configuration';
import type { Controls, Telephony } from '../src/telephony';
import { addNumber, claim, claimOne, complete, hostedCaller, place, read, report } from './test-caller';
import { fillQueue } from './fill-queue';
import { hostedCapabilities } from './declared-workers';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const silent = createLogger({ service: 'test', level: 'silent' });
const organizationOf = (job: WorkerJob): string => job.call.organization_id;
const callIdOf = (job: WorkerJob): string => job.call.call_id;

/** A queue in addition to those of the instances, on a database whose statements a test can count. */
const queueOn = (db: Database, options: Partial<JobQueueOptions> = {}): JobQueue => {
  const held = () => Promise.resolve({ organizationIds: [], agentIds: [] });
  return new JobQueue({ db, clock: systemClock, log: silent, leaseSeconds: 300, held, ...options });
};

const declared = { capabilities: declaredCapabilities(hostedCapabilities), declaration: 'd' };

describe('the job queue', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    // No lease expires in these tests; reaper tests are in a separate file.
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());
  beforeEach(async () => {
    await under.db.query({ text: `delete from jobs where state = 'queued'` });
    await under.db.query({ text: `update organization_controls set queued = 0 where queued > 0` });
  });

  const newAgent = () => under.fakes.addAgent();

  /** The number of buffers that one claim reads (EXPLAIN). The claim is rolled back. */
  async function buffersOfClaim(organizationId = ''): Promise<number> {
    let touched = Infinity;
    const rolledBack = new Error('rolled back');
    await under.db
      .transaction(async (tx) => {
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
          text: `explain (analyze, buffers, format json) ${claimText}`,
          values: [
            organizationId,
            ['call'],
            [],
            [],
            declaredCapabilities(hostedCapabilities),
            organizationId === '' ? 'hosted' : 'own',
            'w',
            60,
            'd',
          ],
        });
        const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
        touched = (plan['Shared Hit Blocks'] ?? Infinity) + (plan['Shared Read Blocks'] ?? Infinity);
        throw rolledBack;
      })
      .catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
    return touched;
  }

  it('100,000 queued calls of one organization delay the first call of another by at most one claim', async () => {
    const [busy, quiet] = [newAgent(), newAgent()];
    await fillQueue(under.db, busy, { count: 100_000 });
    const before = await claim(telephony, 3);
    expect(before.map(organizationOf)).toEqual(Array.from({ length: 3 }, () => busy.organizationId));
    await fillQueue(under.db, quiet, { count: 3, dueInSeconds: -1 });
    const turns: string[] = [];
    for (let n = 0; n < 6; n += 1) turns.push(organizationOf(await claimOne(n % 2 ? telephony : second)));
    expect(turns.slice(0, 2)).toContain(quiet.organizationId);
    // Both organizations have enough jobs for six turns, so they alternate.
    turns.slice(1).forEach((organization, index) => expect(organization).not.toBe(turns[index]));
    expect(organizationOf(await claimOne(second))).toBe(busy.organizationId);
    // A claim reads only the beginning of an index, independent of the number of queued jobs.
    expect(await buffersOfClaim()).toBeLessThan(200);
  });

  it('claims do not scan calls that are scheduled for later', async () => {
    const agent = newAgent();
    for (const priority of [0, 1, 2]) {
      await fillQueue(under.db, agent, { count: 20_000, priority, dueInSeconds: 3600 });
    }
    const due = await fillQueue(under.db, agent, { count: 1, priority: 2 });
    expect(await buffersOfClaim()).toBeLessThan(200);
    expect((await claim(telephony, 10)).map(callIdOf)).toEqual([due(1)]);
    expect(await claim(telephony, 10)).toEqual([]);
  });

  it('within an organization jobs are claimed by priority, and then by due time', async () => {
    const agent = newAgent();
    const low = await fillQueue(under.db, agent, { count: 2, priority: 2, dueInSeconds: -3 });
    const normal = await fillQueue(under.db, agent, { count: 2, priority: 1, dueInSeconds: -2 });
    const high = await fillQueue(under.db, agent, { count: 2, priority: 0, dueInSeconds: -1 });
    const later = await fillQueue(under.db, agent, { count: 1, priority: 0, dueInSeconds: 3600 });
    const order = (await claim(telephony, 10)).map(callIdOf);
    expect(order).toEqual([high, normal, low].flatMap((call) => [call(1), call(2)]));
    expect(order).not.toContain(later(1));
  });

  it("one organization's high priority does not delay another organization's jobs", async () => {
    const [loud, quiet] = [newAgent(), newAgent()];
    await fillQueue(under.db, loud, { count: 10, priority: 0 });
    await fillQueue(under.db, quiet, { count: 3, priority: 2 });
    const turns = (await claim(telephony, 6)).map(organizationOf);
    expect(turns.filter((organization) => organization === quiet.organizationId)).toHaveLength(3);
  });

  it('a scheduled call is claimed once, at its time and not before, with claims waiting on two instances', async () => {
    const agent = newAgent();
    await addNumber(telephony, agent);
    const scheduled = new Date(Date.now() + 2_000).toISOString();
    const { call } = await place(telephony, agent, { body: { scheduled_at: scheduled } });
    const given: string[] = [];
    await eventually(async () => {
      const claims = await Promise.all([claim(telephony, 1, 3), claim(second, 1, 3)]);
      given.push(...claims.flat().map(callIdOf));
      return given.length > 0 ? true : undefined;
    });
    expect(given).toEqual([call.call_id]);
    expect([...(await claim(telephony)), ...(await claim(second))]).toEqual([]);
    const { rows } = await under.db.query<{ early: boolean }>({
      text: `select j.lease_expires_at - interval '300 seconds' < c.scheduled_at as early from jobs j join calls c using (call_id) where call_id = $1`,
      values: [call.call_id],
    });
    expect(rows).toEqual([{ early: false }]);
  });

  it('fifty waiting workers cause as many statements as one: the number of polls depends only on the time', async () => {
    /** The number of statements that this many workers cause in total, each polling for one second without a job. */
    const statementsOf = async (workers: number): Promise<number> => {
      let statements = 0;
      const counted: Database = {
        pool: under.db.pool,
        query: (statement) => {
          statements += 1;
          return under.db.query(statement);
        },
        transaction: (work) => {
          statements += 2;
          return under.db.transaction((tx) =>
            work({
              query: (statement) => {
                statements += 1;
                return tx.query(statement);
              },
            }),
          );
        },
      };
      // The clock is frozen while the claims begin, so that they share a deadline: different deadlines would each cause a poll.
      let came: number | undefined = systemClock.monotonicMs();
      const clock = { now: () => systemClock.now(), monotonicMs: () => came ?? systemClock.monotonicMs() };
      const queue = queueOn(counted, { clock, pollMs: 200 });
      queue.start();
      const { signal } = new AbortController();
      const request = {
        organizationId: '',
        kinds: ['call'],
        workerId: 'w',
        capacity: 1,
        waitMs: 1_000,
        ...declared,
        refused: () => false,
      };
      const waiting = Array.from({ length: workers }, () => queue.claim(request, signal));
      came = undefined;
      const answers = await Promise.all(waiting);
      await queue.stop();
      expect(answers.flat()).toEqual([]);
      return statements;
    };
    // At most 13 statements: 4 for the first claim, which finds nothing, and 9 polls of one statement each: 5 planned, 1 at the start, 1 at the end and 2
    // in reserve. Late timers only reduce the number.
    const most = 4 + 9;
    expect(await statementsOf(1)).toBeLessThanOrEqual(most);
    expect(await statementsOf(50)).toBeLessThanOrEqual(most);
  });

  it('a draining instance answers waiting claims immediately without a job; later jobs go to another instance', async () => {
    const third = await under.start({ workerLeaseSeconds: 300 });
    const agent = newAgent();
    const waiting = claim(third, 10, 25);
    const settled = waiting.then(() => 'answered');
    expect(await Promise.race([settled, read(telephony, agent, 'call_x').catch(() => 'waits')])).toBe('waits');
    third.drain();
    expect(await waiting).toEqual([]);
    await fillQueue(under.db, agent, { count: 1 });
    expect(await claim(third, 10, 25)).toEqual([]);
    expect(await claim(telephony, 10, 5)).toHaveLength(1);
    await third.stop();
  });

  it('a job claimed for a worker that has disconnected returns to the queue immediately', async () => {
    const agent = newAgent();
    const call = await fillQueue(under.db, agent, { count: 1 });
    const gone = new AbortController();
    const request = {
      caller: hostedCaller,
      organizationId: '',
      kinds: ['call'],
      workerId: 'gone',
      capacity: 1,
      waitMs: 0,
      ...declared,
    };
    const db: Database = {
      pool: under.db.pool,
      query: (statement) => under.db.query(statement),
      // The worker disconnects after its job was claimed and before the response is sent.
      transaction: async (work) => {
        const done = await under.db.transaction(work);
        gone.abort();
        return done;
      },
    };
    const queue = queueOn(db);
    queue.start();
    const controls = { epoch: '1', generation: 1, isRevoked: () => false } as Partial<Controls> as Controls;
    const telephonyOfThis = { db: under.db, onCommit: () => undefined, controls } as Partial<Telephony> as Telephony;
    const context = { requestId: 'test', signal: gone.signal, log: silent };
    expect(await claimJobs(telephonyOfThis, queue, {} as RuntimeConfigurations, request, context)).toEqual([]);
    expect((await claim(second, 10)).map(callIdOf)).toEqual([call(1)]);
    const { rows } = await under.db.query<{ queued: number; epoch: string }>({
      text: `select c.queued, j.epoch from organization_controls c join jobs j using (organization_id) where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(rows).toEqual([{ queued: 0, epoch: '2' }]);
  });

  it('deletes stored responses to reports after 1 to 2 days; a report repeated later changes nothing', async () => {
    const agent = newAgent();
    const [finished, live] = [
      await fillQueue(under.db, agent, { count: 1, dueInSeconds: -3 }),
      await fillQueue(under.db, agent, { count: 1, dueInSeconds: -2 }),
    ];
    const [done, running] = [await claimOne(telephony), await claimOne(telephony)];
    expect([callIdOf(done), callIdOf(running)]).toEqual([finished(1), live(1)]);
    for (const job of [done, running]) await report(telephony, job, 1, 'dialing');
    await report(telephony, done, 2, { type: 'failed', ended_reason: 'busy' });
    await complete(telephony, done);
    const left = async (): Promise<string[]> => {
      const { rows } = await under.db.query<{ job_id: string }>({
        text: 'select distinct job_id from job_reports where job_id = any($1)',
        values: [[done.job_id, running.job_id]],
      });
      return rows.map(({ job_id }) => job_id).sort();
    };
    const parts = async (): Promise<number> => {
      const { rows } = await under.db.query({ text: `select from ring_parts('job_reports')` });
      return rows.length;
    };
    const age = (hours: number) =>
      under.db.query({
        text: `update job_reports set reported_at = clock_timestamp() - make_interval(hours => $1::integer)`,
        values: [hours],
      });
    const keeper = partitionKeeper({ db: under.db, log: silent, rings: [reportRing], everyMs: 20 });
    await keeper.start();
    try {
      await age(23);
      // Today's partition exists only after the keeper has run once.
      await eventually(async () => ((await parts()) > 1 ? true : undefined));
      expect(await left()).toEqual([done.job_id, running.job_id].sort());
      await age(49);
      await eventually(async () => ((await left()).length === 0 ? true : undefined));
    } finally {
      await keeper.stop();
    }
    const before = await read(telephony, agent, finished(1));
    const again = await report(second, done, 2, { type: 'failed', ended_reason: 'no_answer' });
    expect(again).toEqual({ call_status: 'failed', cancel_requested: false });
    expect(await read(telephony, agent, finished(1))).toEqual(before);
  });
});

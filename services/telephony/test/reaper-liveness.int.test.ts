import type { WorkerJob } from '@parley/contract';
import { createDatabase } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { takeReaping } from '../src/books/queue/lease-watch.cross-tenant.sql';
import { lockExpired } from '../src/books/queue/leases.cross-tenant.sql';
import { claim, idleWorker, report } from './test-caller';
import { fillQueue } from './fill-queue';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const leaseSeconds = 3;

/** One instance grants leases of five minutes; two others, with leases of three seconds, reap. */
describe('expired leases while the platform receives no heartbeats', () => {
  let under: UnderTest;
  let giver: Instance;
  let reapers: Instance[];
  let stopWorker: () => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    under = await telephonyUnderTest();
    giver = await under.start({ workerLeaseSeconds: 300 });
    const settings = { workerLeaseSeconds: leaseSeconds };
    // Stores with each reaped lease since when workers had been heard at that time: a later pause of a busy machine changes it.
    const owner = createDatabase({ url: under.database.adminUrl, schema: 'telephony', poolSize: 1 });
    await owner.query({
      text: `create function heard_since() returns timestamptz language sql as 'select heard_since from telephony.lease_watch'`,
    });
    await owner.query({
      text: 'alter table lease_reaps add column heard_since timestamptz not null default heard_since()',
    });
    await owner.pool.end();
    reapers = [await under.start(settings), await under.start(settings)];
  });
  afterAll(() => under.stop());
  afterEach(async () => {
    under.fakes.broken.auth = false;
    await stopWorker();
    await under.db.query({ text: `delete from jobs` });
    await under.db.query({ text: `delete from lease_reaps` });
  });

  const workerIsHeard = () => {
    const stops = reapers.map((reaper) => idleWorker(reaper));
    stopWorker = async () => {
      await Promise.all(stops.map((stop) => stop()));
      stopWorker = () => Promise.resolve();
    };
  };

  const allOpen = (open: 0 | 1) =>
    eventually(async () => {
      const states = await Promise.all(reapers.map((reaper) => reaper.metric('parley_reaper_open')));
      return states.every((state) => state === open) ? true : undefined;
    });

  const leased = async (count: number): Promise<WorkerJob[]> => {
    await fillQueue(under.db, under.fakes.addAgent(), { count });
    const jobs = await claim(giver, count);
    expect(jobs).toHaveLength(count);
    return jobs;
  };

  /** Claimed and dialed jobs: their lines may be open. */
  const dialed = async (count: number): Promise<WorkerJob[]> => {
    const jobs = await leased(count);
    await Promise.all(jobs.map((job) => report(giver, job, 1, 'dialing')));
    return jobs;
  };

  const idsOf = (jobs: readonly WorkerJob[]): string[] => jobs.map(({ job_id: id }) => id);

  /** Expires leases now. With `kind` inbound they are leases of media gateways, which heartbeats do not extend. */
  const expire = async (jobs: readonly WorkerJob[], kind = 'call'): Promise<void> => {
    await under.db.query({
      text: `update jobs set lease_expires_at = clock_timestamp(), kind = $2 where job_id = any($1::text[])`,
      values: [idsOf(jobs), kind],
    });
  };

  const countLeased = async (jobs: readonly WorkerJob[]): Promise<number> => {
    const { rows } = await under.db.query({
      text: `select 1 from jobs where state = 'leased' and job_id = any($1::text[])`,
      values: [idsOf(jobs)],
    });
    return rows.length;
  };

  const reaped = (jobs: readonly WorkerJob[], count: number) =>
    eventually(async () => ((await countLeased(jobs)) === jobs.length - count ? true : undefined));

  /** Checks that the first lease was reaped only after workers had been heard for a whole lease. */
  const expectWholeLease = async (): Promise<void> => {
    const { rows } = await under.db.query<{ seconds: number }>({
      text: 'select extract(epoch from reaped_at - heard_since)::float8 as seconds from lease_reaps order by reaped_at limit 1',
    });
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(leaseSeconds);
  };

  const shiftWatch = async (interval: string): Promise<void> => {
    await under.db.query({
      text: `update lease_watch set heard_at = heard_at + $1::interval, heard_since = heard_since + $1::interval`,
      values: [interval],
    });
  };

  it('are not reaped while no worker is heard, but after others have been heard for one lease duration', async () => {
    await allOpen(0);
    const [silent = [], gateway = []] = [await dialed(1), await leased(1)];
    await expire(silent);
    await expire(gateway, 'inbound');
    // The reaper that takes the lease of the media gateway has skipped the lease that expired before it.
    await reaped(gateway, 1);
    expect(await countLeased(silent)).toBe(1);
    workerIsHeard();
    await under.db.query({ text: 'delete from lease_reaps' });
    await reaped(silent, 1);
    await expectWholeLease();
  });

  it('are reaped one lease duration after the first heartbeat that follows a silence', async () => {
    workerIsHeard();
    await allOpen(1);
    // A claim also counts as a sign of life.
    const silent = await dialed(1);
    await stopWorker();
    await allOpen(0);
    await expire(silent);
    workerIsHeard();
    await reaped(silent, 1);
    await expectWholeLease();
  });

  it.each([
    ['forward', '-1 hour'],
    ['back', '1 hour'],
  ])("are reaped one lease duration after the database's clock was set %s", async (_, shift) => {
    workerIsHeard();
    await allOpen(1);
    const silent = await dialed(1);
    // The stored times as they look after the clock was moved by an hour.
    await under.db.transaction(async (tx) => {
      await tx.query({
        text: `update lease_watch set heard_at = heard_at + $1::interval, heard_since = heard_since + $1::interval`,
        values: [shift],
      });
      await tx.query({
        text: `update jobs set lease_expires_at = clock_timestamp() where job_id = any($1::text[])`,
        values: [idsOf(silent)],
      });
    });
    await reaped(silent, 1);
    await expectWholeLease();
  });

  it('are not reaped if they are renewed after the clock was set forward', async () => {
    workerIsHeard();
    await allOpen(1);
    const [renewed = [], dead = []] = [await leased(1), await leased(1)];
    await shiftWatch('-1 hour');
    await expire([...renewed, ...dead]);
    await under.db.query({
      text: `update jobs set lease_expires_at = clock_timestamp() + interval '1 hour' where job_id = any($1::text[])`,
      values: [idsOf(renewed)],
    });
    await reaped(dead, 1);
    expect(await countLeased(renewed)).toBe(1);
  });

  it('are not reaped while auth does not answer, but one lease duration after it answers again', async () => {
    workerIsHeard();
    await allOpen(1);
    const silent = await dialed(1);
    under.fakes.broken.auth = 'hangs';
    await allOpen(0);
    await expire(silent);
    await eventually(async () => {
      const { rows } = await under.db.query({
        text: `select 1 from jobs where job_id = any($1::text[]) and lease_expires_at < now() - make_interval(secs => $2)`,
        values: [idsOf(silent), leaseSeconds],
      });
      return rows[0];
    });
    expect(await countLeased(silent)).toBe(1);
    const trustedAgain = performance.now();
    under.fakes.broken.auth = false;
    await reaped(silent, 1);
    expect(performance.now() - trustedAgain).toBeGreaterThanOrEqual(leaseSeconds * 1000);
  });

  it('at most a tenth of the leased calls are ended per minute over all replicas; deferred ones are counted in a metric', async () => {
    workerIsHeard();
    await allOpen(1);
    const jobs = await dialed(39);
    const deferred = () => Promise.all(reapers.map((reaper) => reaper.metric('parley_reaps_deferred_total')));
    const before = await deferred();
    await expire(jobs.slice(0, 12));
    await eventually(async () => {
      const now = await deferred();
      return now.every((count, n) => count >= (before[n] ?? 0) + 2) ? true : undefined;
    });
    expect(await countLeased(jobs)).toBe(36);
    await under.db.query({ text: `update lease_reaps set reaped_at = reaped_at - interval '61 seconds'` });
    await reaped(jobs, 6);
  });

  it('return all jobs that were not dialed to the queue, without that limit', async () => {
    workerIsHeard();
    await allOpen(1);
    const [dialing, waiting] = [await dialed(2), await leased(12)];
    await expire([...dialing, ...waiting]);
    await reaped(waiting, 12);
    expect(await countLeased(dialing)).toBe(1);
  });

  it("are limited separately for each organization's own workers and for hosted workers", async () => {
    workerIsHeard();
    await allOpen(1);
    // Each pair of calls belongs to a separate organization.
    const [ofFirst, ofSecond, hosted] = [await dialed(2), await dialed(2), await dialed(2)];
    const own = [...ofFirst, ...ofSecond];
    await under.db.query({
      text: `update jobs set dialer = 'own' where job_id = any($1::text[])`,
      values: [idsOf(own)],
    });
    await expire([...own, ...hosted]);
    await Promise.all([ofFirst, ofSecond, hosted].map((part) => reaped(part, 1)));
  });

  it('end one call per minute if there are fewer than ten leases', async () => {
    workerIsHeard();
    await allOpen(1);
    const jobs = await dialed(2);
    await expire(jobs);
    await reaped(jobs, 1);
    await under.db.query({ text: `update lease_reaps set reaped_at = reaped_at - interval '61 seconds'` });
    await reaped(jobs, 2);
  });

  it('can be reaped by others after the database times out the transaction of a stopped reaper', async () => {
    const jobs = await leased(1);
    // No worker is heard any more, so the instances do not reap the job.
    await allOpen(0);
    await expire(jobs);
    const other = () => under.db.transaction((tx) => takeReaping(tx, 10_000));
    const stopped = under.db.transaction(async (tx) => {
      expect(await takeReaping(tx, 500)).toBe(true);
      expect(await lockExpired(tx, { except: [], heard: true, bounded: [] })).toBeDefined();
      expect(await other()).toBe(false);
      await eventually(async () => ((await other()) ? true : undefined));
    });
    await expect(stopped).rejects.toThrow();
    expect(await under.db.transaction((tx) => lockExpired(tx, { except: [], heard: true, bounded: [] }))).toBeDefined();
  });
});

import { routes } from '@parley/contract';
import { eventually } from '@parley/testing';
import { addNumber, claim, claimOne, hostedCaller, place, read, report } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** Effects of a stopped process or an unavailable platform on leases, claims and times. */
describe('leases under failures', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const claimed = async (publicationSha256 = 'ab'.repeat(32)) => {
    const agent = under.fakes.addAgent({ publicationSha256 });
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    return { agent, call };
  };

  const leaseLeft = async (jobId: string): Promise<number> => {
    const { rows } = await under.db.query<{ seconds: number }>({
      text: 'select extract(epoch from lease_expires_at - clock_timestamp())::float8 as seconds from jobs where job_id = $1',
      values: [jobId],
    });
    return rows[0]?.seconds ?? NaN;
  };

  it('a locked job delays no heartbeat: the other leases of the worker are extended, and its own counts as held', async () => {
    await claimed();
    const [stopped, other] = [await claimOne(telephony), (await claimed(), await claimOne(telephony))];
    const jobs = [stopped, other];
    await under.db.query({
      text: `update jobs set lease_expires_at = clock_timestamp() + interval '1 minute' where job_id = any($1::text[])`,
      values: [jobs.map((job) => job.job_id)],
    });
    const body = { worker_id: 'w1', leases: jobs.map(({ job_id, epoch }) => ({ job_id, epoch })) };
    const beat = () => telephony.request(routes.heartbeatWorkerJobs, { caller: hostedCaller, body });
    await under.db.transaction(async (tx) => {
      await tx.query({ text: 'select 1 from jobs where job_id = $1 for update', values: [stopped.job_id] });
      expect((await beat()).body.leases.map(({ state }) => state)).toEqual(['held', 'held']);
    });
    expect(await leaseLeft(other.job_id)).toBeGreaterThan(200);
    expect(await leaseLeft(stopped.job_id)).toBeLessThan(61);
    expect((await beat()).body.leases.map(({ state }) => state)).toEqual(['held', 'held']);
    expect(await leaseLeft(stopped.job_id)).toBeGreaterThan(200);
  });

  it('a claim that is slower than its lease returns no job if the job was claimed elsewhere meanwhile', async () => {
    const sha256 = 'ef'.repeat(32);
    const { call } = await claimed(sha256);
    const slow = await under.start({ workerLeaseSeconds: 2 });
    const answer = Promise.withResolvers<void>();
    under.fakes.slow.set(sha256, answer.promise);
    const first = claim(slow);
    const leased = async () => {
      const { rows } = await under.db.query<{ job_id: string }>({
        text: `select job_id from jobs where call_id = $1 and state = 'leased' and lease_expires_at < clock_timestamp()`,
        values: [call.call_id],
      });
      return rows[0]?.job_id;
    };
    const jobId = await eventually(leased);
    under.fakes.slow.delete(sha256);
    await under.db.query({
      text: `with back as (update jobs set state = 'queued', lease_expires_at = null, worker_id = null where job_id = $1
               returning organization_id)
             update organization_controls c set queued = queued + 1 from back where c.organization_id = back.organization_id`,
      values: [jobId],
    });
    const again = await claimOne(telephony);
    expect([again.job_id, again.epoch]).toEqual([jobId, 2]);
    answer.resolve();
    expect(await first).toEqual([]);
    expect(await report(telephony, again, 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
    await slow.stop();
  });

  describe('age_ms of a report', () => {
    /** Moves the answer of a call back by this duration. */
    const answeredAgo = async (seconds: number) => {
      const { agent, call } = await claimed();
      const job = await claimOne(telephony);
      await report(telephony, job, 1, 'dialing', 'answered');
      await under.db.query({
        text: `update calls set answered_at = answered_at - make_interval(secs => $2), updated_at = updated_at - make_interval(secs => $2)
               where call_id = $1`,
        values: [call.call_id, seconds],
      });
      return { job, record: () => read(telephony, agent, call.call_id) };
    };

    it.each<[string, number | undefined, number]>([
      ['absent: the call ends when the report arrives', undefined, 600],
      ['present: the call ended that long before the report', 540_000, 60],
      ['longer than the call: it ends when it was answered', 3_600_000, 0],
    ])('%s', async (_, age, seconds) => {
      const { job, record } = await answeredAgo(600);
      const reasons = { type: 'ended', ended_reason: 'callee_hung_up' };
      await report(telephony, job, 2, age === undefined ? reasons : { ...reasons, age_ms: age });
      const { duration_seconds: duration } = await record();
      expect(duration).toBeGreaterThanOrEqual(seconds);
      expect(duration).toBeLessThan(seconds + 30);
    });

    it.each([
      [-1, [400, 'BadRequestError']],
      [0, 'taken'],
      [3_600_000, 'taken'],
      [3_600_001, [400, 'BadRequestError']],
      [0.5, [400, 'BadRequestError']],
    ])('of %d ms: %j', async (age, expected) => {
      await claimed();
      const job = await claimOne(telephony);
      const sent = report(telephony, job, 1, { type: 'dialing', age_ms: age });
      if (expected === 'taken') expect(await sent).toMatchObject({ call_status: 'dialing' });
      else expect(await refusal(sent)).toEqual(expected);
    });
  });
});

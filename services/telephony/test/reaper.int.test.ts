import type { WorkerJob } from '@parley/contract';
import { eventually } from '@parley/testing';
import { addNumber, claimOne, complete, heartbeat, idleWorker, place, read, report, cancelCall } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/**
 * One instance grants leases of five minutes, and tests decide when they expire. The reaping instance has leases of two seconds, so its
 * gate opens after two seconds. It always hears a worker.
 */
describe('expired leases', () => {
  let under: UnderTest;
  let telephony: Instance;
  let stopWorker: () => Promise<void>;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
    stopWorker = idleWorker(await under.start({ workerLeaseSeconds: 2, leasesReapedAtLeast: 100 }));
  });
  afterAll(async () => {
    await stopWorker();
    await under.stop();
  });

  const placed = async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    expect(job.call.call_id).toBe(call.call_id);
    return { agent, call, job };
  };

  const settled = async (placedCall: Awaited<ReturnType<typeof placed>>, status: string) =>
    eventually(async () => {
      const record = await read(telephony, placedCall.agent, placedCall.call.call_id);
      return record.status === status ? record : undefined;
    });

  /** Makes a lease expire in this many seconds. Returns the time of expiry by the database's clock. */
  const expire = async ({ job }: { job: WorkerJob }, seconds = 0): Promise<Date> => {
    const { rows } = await under.db.query<{ lease_expires_at: Date }>({
      text: `update jobs set lease_expires_at = clock_timestamp() + make_interval(secs => $2)
             where job_id = $1 and state = 'leased' returning lease_expires_at`,
      values: [job.job_id, seconds],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('no one holds the job');
    return row.lease_expires_at;
  };

  const leaseLeft = async ({ job }: { job: WorkerJob }): Promise<number> => {
    const { rows } = await under.db.query<{ seconds: number }>({
      text: 'select extract(epoch from lease_expires_at - clock_timestamp())::float8 as seconds from jobs where job_id = $1',
      values: [job.job_id],
    });
    return rows[0]?.seconds ?? NaN;
  };

  it('before dialing, the job returns to the queue, is claimed with a new epoch, and the call is dialed once', async () => {
    const lost = await placed();
    const { agent, call, job } = lost;
    await expire(lost);
    const again = await claimOne(telephony, 20);
    expect([again.job_id, BigInt(again.epoch)]).toEqual([job.job_id, BigInt(job.epoch) + 1n]);
    expect(await refusal(report(telephony, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    await report(telephony, again, 1, 'dialing', { type: 'failed', ended_reason: 'busy' });
    await complete(telephony, again);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'failed', ended_reason: 'busy' });
  });

  it.each([
    ['dialing', ['dialing'], 'failed', ['call.dialing', 'call.failed']],
    [
      'answered',
      ['dialing', 'answered'],
      'completed',
      ['call.dialing', 'call.answered', 'call.ended', 'call.completed'],
    ],
  ])('a call that is %s ends as worker_lost and is never dialed again', async (_, events, status, reported) => {
    const lost = await placed();
    await report(telephony, lost.job, 1, ...events);
    await expire(lost);
    const record = await settled(lost, status);
    expect(record.ended_reason).toBe('worker_lost');
    expect(await refusal(report(telephony, lost.job, 1, ...events))).toEqual([409, 'ConflictError']);
    expect(await refusal(complete(telephony, lost.job))).toEqual([409, 'ConflictError']);
    const { rows } = await under.db.query<{ type: string }>({
      text: `select type from call_events where call_id = $1 and resource_seq > 2 order by resource_seq`,
      values: [lost.call.call_id],
    });
    expect(rows.map(({ type }) => type)).toEqual(reported);
    const { rows: jobs } = await under.db.query({
      text: 'select state from jobs where call_id = $1',
      values: [lost.call.call_id],
    });
    expect(jobs).toEqual([{ state: 'done' }]);
  });

  it('a call whose end was reported is completed with the reported ended_reason', async () => {
    const lost = await placed();
    await report(telephony, lost.job, 1, 'dialing', 'answered', {
      type: 'ended',
      ended_reason: 'max_call_duration_reached',
    });
    await expire(lost);
    expect((await settled(lost, 'completed')).ended_reason).toBe('max_call_duration_reached');
  });

  it('a ringing call with a pending cancellation ends as canceled', async () => {
    const lost = await placed();
    await report(telephony, lost.job, 1, 'dialing');
    const { organizationId } = lost.agent;
    await cancelCall(telephony, organizationId, lost.call.call_id);
    await expire(lost);
    expect(await settled(lost, 'canceled')).toMatchObject({ ended_reason: 'canceled', reason_detail: 'worker_lost' });
  });

  it('a lease that is renewed by a heartbeat is kept', async () => {
    const kept = await placed();
    const other = await placed();
    await report(telephony, kept.job, 1, 'dialing');
    await report(telephony, other.job, 1, 'dialing');
    await expire(kept, 60);
    expect(await heartbeat(telephony, kept.job)).toMatchObject({ state: 'held' });
    expect(await leaseLeft(kept)).toBeGreaterThan(200);
    // The scan that reaps the other lease has examined this one too.
    await expire(other);
    await settled(other, 'failed');
    expect(await read(telephony, kept.agent, kept.call.call_id)).toMatchObject({ status: 'dialing' });
    expect(await report(telephony, kept.job, 2, 'answered')).toMatchObject({ call_status: 'answered' });
  });
});

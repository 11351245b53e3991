import { eventually } from '@parley/testing';
import { addNumber, callOfJob, claimOne, complete, customer, hosted, place, read, report } from './caller-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** Leases of one second: the reaper's work is seen in no time, and its gate opens after one. */
describe('expired leases', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 1 });
    await under.start({ workerLeaseSeconds: 1 });
  });
  afterAll(() => under.stop());

  const placed = async () => {
    const agent = under.beside.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    expect(callOfJob(job).call_id).toBe(call.call_id);
    return { agent, call, job };
  };

  const settled = async (placedCall: Awaited<ReturnType<typeof placed>>, status: string) =>
    eventually(async () => {
      const record = await read(telephony, placedCall.agent, placedCall.call.call_id);
      return record.status === status ? record : undefined;
    });

  const reapedWithin = async (callId: string): Promise<number> => {
    const { rows } = await under.db.query<{ seconds: string }>({
      text: `select extract(epoch from j.finished_at - (select max(r.reported_at) from job_reports r where r.job_id = j.job_id))
             as seconds from jobs j where j.call_id = $1`,
      values: [callId],
    });
    return Number(rows[0]?.seconds);
  };

  it('before the permit the job goes back, is claimed under a new epoch, and the call is dialled once', async () => {
    const { agent, call, job } = await placed();
    const again = await claimOne(telephony, 20);
    expect([again.jobId, BigInt(again.epoch)]).toEqual([job.jobId, BigInt(job.epoch) + 1n]);
    expect(await refusal(report(telephony, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    await report(telephony, again, 1, 'dialing', { type: 'failed', endedReason: 'busy' });
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
  ])(
    'after the permit a call that is %s is finished as worker_lost and never dialled again',
    async (_, events, status, told) => {
      const lost = await placed();
      await report(telephony, lost.job, 1, ...events);
      const record = await settled(lost, status);
      expect(record.ended_reason).toBe('worker_lost');
      // Lease 1 s; within 5 s of its expiry, by the database's timestamps.
      expect(await reapedWithin(lost.call.call_id)).toBeLessThan(6);
      expect(await refusal(report(telephony, lost.job, 1, ...events))).toEqual([409, 'ConflictError']);
      expect(await refusal(complete(telephony, lost.job))).toEqual([409, 'ConflictError']);
      const { rows } = await under.db.query<{ type: string }>({
        text: `select type from call_events where call_id = $1 and resource_seq > 2 order by resource_seq`,
        values: [lost.call.call_id],
      });
      expect(rows.map(({ type }) => type)).toEqual(told);
      const { rows: jobs } = await under.db.query({
        text: 'select state from jobs where call_id = $1',
        values: [lost.call.call_id],
      });
      expect(jobs).toEqual([{ state: 'done' }]);
    },
  );

  it('a call that had ended is completed with the reason it ended for', async () => {
    const lost = await placed();
    await report(telephony, lost.job, 1, 'dialing', 'answered', {
      type: 'ended',
      endedReason: 'max_call_duration_reached',
    });
    expect((await settled(lost, 'completed')).ended_reason).toBe('max_call_duration_reached');
  });

  it('a call that was being canceled while it rang is canceled', async () => {
    const lost = await placed();
    await report(telephony, lost.job, 1, 'dialing');
    const { organizationId } = lost.agent;
    await telephony.client.cancelCall({ organizationId, callId: lost.call.call_id }, customer(organizationId));
    expect(await settled(lost, 'canceled')).toMatchObject({ ended_reason: 'canceled', reason_detail: 'worker_lost' });
  });

  it('a lease that is kept alive is not taken away', async () => {
    const kept = await placed();
    const other = await placed();
    await report(telephony, kept.job, 1, 'dialing');
    await report(telephony, other.job, 1, 'dialing');
    const { jobId, epoch } = kept.job;
    const beat = () =>
      telephony.client.heartbeat({ organizationId: '', workerId: 'w1', leases: [{ jobId, epoch }] }, hosted);
    // The other lease, of the same age, runs out meanwhile: then this one would have, too.
    await eventually(async () => {
      expect((await beat()).leases[0]?.state).toBe('held');
      const { status } = await read(telephony, other.agent, other.call.call_id);
      return status === 'failed' ? true : undefined;
    });
    expect(await read(telephony, kept.agent, kept.call.call_id)).toMatchObject({ status: 'dialing' });
    expect(await report(telephony, kept.job, 2, 'answered')).toMatchObject({ callStatus: 'answered' });
  });
});

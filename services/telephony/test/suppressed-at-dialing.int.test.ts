import { claim, complete, place, read, report } from './test-caller';
import { suppress } from './organization-of';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

describe('a number that is suppressed while its call is queued', () => {
  const workers = WorkerJobs.ofFile();
  const to = '+14155550188';

  const live = async (organizationId: string) => {
    const { rows } = await workers.under.db.query({
      text: 'select live, queued, reserved_micros::int as reserved from organization_controls where organization_id = $1',
      values: [organizationId],
    });
    return rows[0];
  };

  it.each([
    ['the same number', to],
    ['the number with another digit, which networks ignore', `${to}0`],
  ])('is not dialed, nor admitted again: later reports of its worker get 409; %s', async (_, dialed) => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(workers.telephony, agent, { to: dialed });
    const job = await workers.claimOf(workers.telephony, call);
    await suppress(workers.telephony, agent.organizationId, to);
    for (const instance of [workers.second, workers.telephony]) {
      expect(await refusal(report(instance, job, 1, 'dialing', 'answered'))).toEqual([409, 'ConflictError']);
    }
    expect(await refusal(complete(workers.second, job))).toEqual([409, 'ConflictError']);
    const after = await read(workers.second, agent, call.call_id);
    expect(after).toMatchObject({
      status: 'failed',
      ended_reason: 'suppressed',
      dialing_at: null,
      cost: { amount_micros: 0 },
    });
    expect(await workers.eventTypes(call.call_id)).toEqual(['call.created', 'call.queued', 'call.failed']);
    expect(await live(agent.organizationId)).toEqual({ live: 0, queued: 0, reserved: 0 });
    expect(await refusal(place(workers.telephony, agent, { to: dialed }))).toEqual([423, 'SuspensionError']);
    expect((await claim(workers.second, 100)).map((other) => other.call.call_id)).not.toContain(call.call_id);
  });

  it('does not affect a call that was already dialed, or another number', async () => {
    const agent = await workers.agentWithNumber();
    const [ringing, other] = [await place(workers.telephony, agent, { to }), await place(workers.telephony, agent)];
    const jobs = [
      await workers.claimOf(workers.telephony, ringing.call),
      await workers.claimOf(workers.telephony, other.call),
    ];
    const [first, second] = jobs;
    if (first === undefined || second === undefined) throw new Error('two calls were placed');
    await report(workers.telephony, first, 1, 'dialing');
    await suppress(workers.telephony, agent.organizationId, to);
    expect(await report(workers.second, first, 2, 'answered')).toMatchObject({ call_status: 'answered' });
    expect(await report(workers.second, second, 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
  });
});

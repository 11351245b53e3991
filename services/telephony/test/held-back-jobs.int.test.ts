import { eventually } from '@parley/testing';
import { claim, complete, heartbeat, place, read, report } from './test-caller';
import { refusal } from './refusal';
import type { Instance } from './telephony-under-test';
import { transcript, WorkerJobs } from './worker-jobs';

describe('worker jobs during maintenance and suspensions', () => {
  const workers = WorkerJobs.ofFile();
  let telephony: Instance;
  let second: Instance;

  beforeAll(() => {
    ({ telephony, second } = workers);
  });

  it('during maintenance no instance hands out queued calls; they are claimed afterwards', async () => {
    const agent = await workers.agentWithNumber();
    workers.under.fakes.control.maintenance = true;
    // The control state is trusted for one second: after one poll by each instance, claims return nothing.
    await eventually(async () => {
      await place(telephony, agent);
      const got = [...(await claim(telephony, 100)), ...(await claim(second, 100))];
      return got.length === 0 ? true : undefined;
    });
    const { call } = await place(telephony, agent);
    const waiting = claim(second, 100, 20);
    expect(await claim(telephony, 100, 0)).toEqual([]);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'queued' });
    workers.under.fakes.control.maintenance = false;
    expect((await waiting).map((job) => job.call.call_id)).toContain(call.call_id);
  });

  it('during maintenance calls in progress continue to their end; a claimed call not yet dialed returns to the queue', async () => {
    const agent = await workers.agentWithNumber();
    const begun = await Promise.all([1, 2, 3, 4].map(() => place(telephony, agent)));
    // This instance may notice the end of the window earlier than the other one.
    const jobs = await claim(telephony, 4, 20);
    const [ringing, talking, over, claimed] = jobs.map((job) => ({ job, callId: job.call.call_id }));
    if (ringing === undefined || talking === undefined || over === undefined || claimed === undefined) {
      throw new Error('four calls were placed');
    }
    await report(telephony, ringing.job, 1, 'dialing');
    await report(telephony, talking.job, 1, 'dialing', 'answered');
    await report(telephony, over.job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    workers.under.fakes.control.maintenance = true;
    try {
      for (const instance of [telephony, second]) {
        await eventually(async () => {
          await place(instance, agent);
          const got = await claim(instance, 100);
          return got.length === 0 ? true : undefined;
        });
      }
      for (const { job } of [ringing, talking, over]) {
        expect(await heartbeat(second, job)).toMatchObject({ state: 'held', cancel_requested: false });
      }
      await report(second, ringing.job, 2, 'answered', 'media_started');
      for (const { job } of [ringing, talking]) {
        await report(telephony, job, 3, { type: 'ended', ended_reason: 'callee_hung_up' });
      }
      for (const { job, callId } of [ringing, talking, over]) {
        expect(await complete(second, job, transcript, 'human')).toEqual({ call_status: 'completed' });
        expect(await read(telephony, agent, callId)).toMatchObject({
          status: 'completed',
          ended_reason: 'callee_hung_up',
        });
      }
      for (const instance of [telephony, second]) {
        expect(await refusal(report(instance, claimed.job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      }
      expect(await read(telephony, agent, claimed.callId)).toMatchObject({ status: 'queued', dialing_at: null });
      expect(await claim(second, 100)).toEqual([]);
    } finally {
      workers.under.fakes.control.maintenance = false;
    }
    const again = await eventually(async () =>
      (await claim(second, 100, 1)).find((job) => job.call.call_id === claimed.callId),
    );
    // Sent to the instance that handed it out: the other one may notice the end of the window later.
    expect(await report(second, again, 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
    expect(begun.map(({ call }) => call.call_id)).toContain(claimed.callId);
  });

  it.each(['organization', 'agent'] as const)(
    'a claimed call whose %s is suspended gets no permit (409), and is claimed again after the suspension',
    async (what) => {
      const agent = await workers.agentWithNumber();
      const { call } = await place(telephony, agent);
      const job = await workers.claimOf(telephony, call);
      const { control } = workers.under.fakes;
      if (what === 'organization') control.suspendedOrganizations = [agent.organizationId];
      else control.suspendedAgents = [agent.agentId];
      try {
        // A suspension takes effect within a second; until then the permit would be granted. So the test waits until the instance knows it.
        await eventually(async () => ((await refusal(place(second, agent)).catch(() => undefined)) ? true : undefined));
        expect(await refusal(report(second, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
        expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'queued' });
      } finally {
        control.suspendedOrganizations = [];
        control.suspendedAgents = [];
      }
      const again = await eventually(async () =>
        (await claim(second, 100, 1)).find((other) => other.call.call_id === call.call_id),
      );
      expect(await report(second, again, 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
    },
  );

  it('jobs of a suspended organization wait, jobs of others are claimed', async () => {
    const [held, free] = [await workers.agentWithNumber(), await workers.agentWithNumber()];
    await place(telephony, held);
    workers.under.fakes.control.suspendedOrganizations = [held.organizationId];
    await eventually(async () => ((await refusal(place(second, held)).catch(() => undefined)) ? true : undefined));
    const { call } = await place(telephony, free);
    const jobs = await eventually(async () => {
      const got = await claim(second, 10, 1);
      return got.length > 0 ? got : undefined;
    });
    expect(jobs.map((job) => job.call.call_id)).toContain(call.call_id);
    expect(jobs.map((job) => job.call.organization_id)).not.toContain(held.organizationId);
    workers.under.fakes.control.suspendedOrganizations = [];
    // After the reinstatement every instance hands out jobs of that organization.
    for (const instance of [second, telephony]) {
      await eventually(async () => {
        await place(instance, held).catch(() => undefined);
        const got = await claim(instance, 100);
        return got.some((job) => job.call.organization_id === held.organizationId) ? true : undefined;
      });
    }
  });

  it('after all tests of this file, the counters of waiting jobs equal the number of waiting jobs', async () => {
    const counters = await workers.waiting();
    expect(counters.length).toBeGreaterThan(3);
    for (const { counted, waiting } of counters) expect(counted).toBe(waiting);
  });
});

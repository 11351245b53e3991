import type { WorkerJob } from '@parley/contract';
import { eventually } from '@parley/testing';
import { claim, complete, heartbeat, place, read, report } from './test-caller';
import { Cancelling, hold } from './cancelling';
import { refusal } from './refusal';
import type { Instance } from './telephony-under-test';

const ended = { type: 'ended', ended_reason: 'callee_hung_up' };

describe('dialing while auth is unavailable', () => {
  /** No lease expires in these tests, so jobs return to the queue only for other reasons. */
  const calls = Cancelling.ofFile();
  let telephony: Instance;
  let second: Instance;

  beforeAll(() => {
    [telephony, second] = [calls.at(0), calls.at(1)];
  });
  afterEach(() => {
    calls.under.fakes.broken.auth = false;
  });

  const stateOf = async (instance: Instance, job: WorkerJob) => (await heartbeat(instance, job))?.state;

  const timeOfDatabase = async (): Promise<string> => {
    const { rows } = await calls.under.db.query<{ now: string }>({ text: 'select clock_timestamp()::text as now' });
    return rows[0]?.now ?? '';
  };

  /** The job's row, and whether it stays unclaimed for two seconds after `since`. */
  const jobOf = async (callId: string, since: string) => {
    const { rows } = await calls.under.db.query({
      text: `select state, worker_id, lease_expires_at, permitted_at, finished_at, available_at >= $2::timestamptz + interval '2 seconds' as rested
             from jobs where call_id = $1`,
      values: [callId, since],
    });
    return rows;
  };
  const inQueue = {
    state: 'queued',
    worker_id: null,
    lease_expires_at: null,
    permitted_at: null,
    finished_at: null,
    // If only one replica has lost its connection to auth, it must not refuse jobs that the others hand out repeatedly.
    rested: true,
  };

  const claimedBy = (instance: Instance, callId: string): Promise<WorkerJob> =>
    eventually(async () => (await claim(instance, 1, 1)).find((job) => job.call.call_id === callId));

  /** Waits until no instance trusts its last control state. */
  const untrusted = async () => {
    // A call without a number is refused in any case and leaves no data.
    const noService = calls.under.fakes.addAgent();
    for (const instance of [telephony, second]) {
      await eventually(async () => ((await refusal(place(instance, noService)))[0] === 503 ? true : undefined));
    }
  };

  it.each(['fails', 'hangs'] as const)(
    'auth %s: the permit is refused with 409 and the call stays queued with its hold; a call dialed before continues',
    async (how) => {
      const agent = await calls.prepared();
      const ringing = (await place(telephony, agent)).call.call_id;
      const dialed = await claimedBy(telephony, ringing);
      const permit = await report(telephony, dialed, 1, 'dialing');
      const { call } = await place(telephony, agent);
      const before = await calls.accounts(agent);
      expect(before).toMatchObject({ queued: 1, reserved: 2 * hold });
      const job = await claimedBy(second, call.call_id);
      expect(await calls.accounts(agent)).toMatchObject({ queued: 0, reserved: 2 * hold });

      calls.under.fakes.broken.auth = how;
      await untrusted();
      const refused = await timeOfDatabase();
      expect(await refusal(report(telephony, job, 1, 'dialing', 'answered'))).toEqual([409, 'ConflictError']);

      expect(await read(telephony, agent, call.call_id)).toEqual(call);
      expect(await calls.typesOf(call.call_id)).toEqual(['call.created', 'call.queued']);
      expect(await jobOf(call.call_id, refused)).toEqual([inQueue]);
      expect(await calls.accounts(agent)).toEqual(before);
      // The worker can no longer report on the job, and no worker can claim it.
      expect(await stateOf(second, job)).toBe('lost');
      expect(await refusal(report(second, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      expect(await refusal(complete(telephony, job))).toEqual([409, 'ConflictError']);
      for (const instance of [telephony, second]) expect(await claim(instance, 10)).toEqual([]);
      expect(await jobOf(call.call_id, refused)).toEqual([inQueue]);
      expect(await calls.accounts(agent)).toEqual(before);

      expect(await report(second, dialed, 1, 'dialing')).toEqual(permit);
      expect(await stateOf(second, dialed)).toBe('held');
      await report(second, dialed, 2, 'answered', ended);
      expect(await complete(second, dialed)).toEqual({ call_status: 'completed' });

      calls.under.fakes.broken.auth = false;
      const again = await claimedBy(second, call.call_id);
      expect(await refusal(report(second, job, 2, 'dialing'))).toEqual([409, 'ConflictError']);
      expect(await report(telephony, again, 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
      for (const instance of [telephony, second]) expect(await claim(instance, 10)).toEqual([]);
      await report(second, again, 2, 'answered', ended);
      await complete(telephony, again);
      expect(await calls.typesOf(call.call_id)).toEqual([
        'call.created',
        'call.queued',
        'call.dialing',
        'call.answered',
        'call.ended',
        'call.completed',
      ]);
      expect(await calls.accounts(agent)).toMatchObject({ queued: 0, live: 0, reserved: 0 });
    },
  );
});

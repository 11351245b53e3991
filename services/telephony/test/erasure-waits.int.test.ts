import { eventually } from '@parley/testing';
import { aged, createErasure, eraseCall, getErasure } from './erasing';
import { addNumber, cancelCall, claimOne, complete, freshNumber, place, read, report } from './test-caller';
import { WorkerJobs } from './worker-jobs';

const hungUp = { type: 'ended', ended_reason: 'callee_hung_up' };

describe('an erasure that waits', () => {
  const workers = WorkerJobs.ofFile();
  const query = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await workers.under.db.query<Row>({ text, values })).rows;

  beforeEach(() => {
    workers.under.fakes.logged.events = 1_000;
  });

  async function prepared() {
    const agent = workers.under.fakes.addAgent();
    await addNumber(workers.telephony, agent);
    return agent;
  }
  type Agent = Awaited<ReturnType<typeof prepared>>;
  const scheduled = async (agent: Agent, to: string): Promise<string> => {
    const body = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
    return (await place(workers.telephony, agent, { to, body })).call.call_id;
  };
  const over = async (agent: Agent, to: string): Promise<string> => {
    const { call } = await place(workers.telephony, agent, { to });
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing', 'answered', hungUp);
    await complete(workers.telephony, job);
    return call.call_id;
  };

  interface Row {
    readonly calls_walked: string;
    readonly calls_left: string[];
    /** Seconds from the last run to the next. */
    readonly pause: number;
  }
  /** The erasure after its next run, in which `attempts` is set back. */
  const afterRun = async (erasureId: string): Promise<Row> => {
    await query('update erasures set attempts = 7, retry_at = clock_timestamp() where erasure_id = $1', erasureId);
    return eventually(
      async () => {
        const [row] = await query<Row>(
          `select calls_walked, calls_left, extract(epoch from retry_at - clock_timestamp())::float8 as pause
           from erasures where erasure_id = $1 and attempts = 0`,
          erasureId,
        );
        return row;
      },
      { timeoutMs: 20_000 },
    );
  };
  const isDone = ({ organizationId }: Agent, erasureId: string) =>
    eventually(
      async () => {
        const erasure = await getErasure(workers.telephony, organizationId, erasureId);
        return erasure.status === 'done' ? erasure : undefined;
      },
      { timeoutMs: 30_000 },
    );
  const makeOlder = (erasureId: string) =>
    query("update erasures set created_at = created_at - interval '5 hours' where erasure_id = $1", erasureId);

  it('for a scheduled call does not examine later calls again, and pauses longer the older it is', async () => {
    const [agent, to] = [await prepared(), freshNumber()];
    const waiting = await aged(workers.under.db, 'call', await scheduled(agent, to), 3);
    const later = await aged(workers.under.db, 'call', await over(agent, freshNumber()), 2);
    const { erasure_id: erasureId } = await createErasure(workers.telephony, agent.organizationId, to);
    const first = await afterRun(erasureId);
    expect(first).toMatchObject({ calls_left: [waiting], calls_walked: later });
    expect(first.pause).toBeLessThan(10);
    await makeOlder(erasureId);
    const older = await afterRun(erasureId);
    expect(older).toMatchObject({ calls_left: [waiting], calls_walked: later });
    expect(older.pause).toBeGreaterThan(240);
    expect(older.pause).toBeLessThanOrEqual(600);

    await cancelCall(workers.telephony, agent.organizationId, waiting);
    await query('update erasures set retry_at = clock_timestamp() where erasure_id = $1', erasureId);
    expect((await isDone(agent, erasureId)).progress).toMatchObject({ calls: 1 });
    expect((await read(workers.telephony, agent, waiting)).to).toBeNull();
  });

  it('for a call in progress, however old it is, runs every few seconds, also if another call is scheduled', async () => {
    const [agent, to] = [await prepared(), freshNumber()];
    const booked = await scheduled(agent, to);
    const { call } = await place(workers.telephony, agent, { to });
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing', 'answered');
    const { erasure_id: erasureId } = await createErasure(workers.telephony, agent.organizationId, to);
    await makeOlder(erasureId);
    const row = await afterRun(erasureId);
    expect(row.calls_left).toEqual([booked, call.call_id].sort());
    expect(row.pause).toBeLessThanOrEqual(5);
    await report(workers.telephony, job, 2, hungUp);
    await complete(workers.telephony, job);
    await eventually(
      async () => ((await read(workers.telephony, agent, call.call_id)).to === null ? true : undefined),
      { timeoutMs: 20_000 },
    );
    expect((await afterRun(erasureId)).calls_left).toEqual([booked]);
    // A call that is erased by itself is no longer waited for.
    await cancelCall(workers.telephony, agent.organizationId, booked);
    await eraseCall(workers.telephony, agent.organizationId, booked);
    await query('update erasures set retry_at = clock_timestamp() where erasure_id = $1', erasureId);
    await isDone(agent, erasureId);
  });

  it('is not done while copies of a call that was erased earlier are left', async () => {
    workers.under.fakes.logged.events = 0;
    const [agent, to] = [await prepared(), freshNumber()];
    const callId = await over(agent, to);
    await eraseCall(workers.telephony, agent.organizationId, callId);
    const { erasure_id: erasureId } = await createErasure(workers.telephony, agent.organizationId, to);
    await afterRun(erasureId);
    const running = await getErasure(workers.telephony, agent.organizationId, erasureId);
    expect(running).toMatchObject({ status: 'running', progress: { calls: 0, copies_left: 1 } });
    workers.under.fakes.logged.events = 1_000;
    await query('update erased_copies set retry_at = clock_timestamp() where resource_id = $1', callId);
    expect((await isDone(agent, erasureId)).progress).toMatchObject({ calls: 0, copies_left: 0 });
  });
});

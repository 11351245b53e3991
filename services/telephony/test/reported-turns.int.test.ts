import { routes, type WorkerJob } from '@parley/contract';
import { createLogger } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { createToolCallPruner } from '../src/books/queue/pruners';
import { addNumber, claimOne, complete, hostedCaller, idleWorker, place, read, report } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const said = (n: number, text = `turn ${n}`) => ({
  turn_id: `t${n}`,
  speaker: n % 2 === 0 ? ('agent' as const) : ('callee' as const),
  text,
  started_ms: n * 1_000,
  ended_ms: n * 1_000 + 900,
});

/** Turns that a worker reports during a call, and what happens to them when the worker crashes. */
describe('turns reported by the worker during a call', () => {
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

  const talking = async (...events: string[]) => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    expect(job.call.call_id).toBe(call.call_id);
    if (events.length > 0) await report(telephony, job, 1, ...events);
    return { agent, call, job };
  };
  type Talk = Awaited<ReturnType<typeof talking>>;

  const turns = async ({ job_id, epoch }: Pick<WorkerJob, 'job_id' | 'epoch'>, first: number, list: object[]) =>
    (
      await telephony.request(routes.reportTurns, {
        caller: hostedCaller,
        params: { job_id },
        body: { epoch, first, turns: list },
      })
    ).body;

  const expire = ({ job }: Talk) =>
    under.db.query({
      text: "update jobs set lease_expires_at = clock_timestamp() where job_id = $1 and state = 'leased'",
      values: [job.job_id],
    });

  const transcriptOf = async ({ agent, call }: Talk) =>
    (
      await telephony.request(routes.getTranscript, {
        caller: customerCaller(agent.organizationId),
        params: { call_id: call.call_id },
      })
    ).body;

  const kept = async ({ call }: Talk) => {
    const { rows } = await under.db.query<{ position: number }>({
      text: 'select position from call_turns where call_id = $1 order by position',
      values: [call.call_id],
    });
    return rows.map(({ position }) => position);
  };

  const eventsOf = async ({ call }: Talk) => {
    const { rows } = await under.db.query<{ type: string }>({
      text: 'select type from call_events where call_id = $1 order by resource_seq',
      values: [call.call_id],
    });
    return rows.map(({ type }) => type);
  };

  it('become the transcript if the worker crashes; of a turn reported twice, the later report counts', async () => {
    const talk = await talking('dialing', 'answered');
    expect(await turns(talk.job, 0, [said(0), said(1, 'my card is 4111 1111 1111 1111')])).toEqual({ turns: 2 });
    expect(await turns(talk.job, 2, [said(2, 'what I began to')])).toEqual({ turns: 3 });
    // A repeated batch, and an incomplete batch.
    expect(await turns(talk.job, 2, [{ ...said(2, 'what I'), interrupted: true }])).toEqual({ turns: 3 });
    expect(await turns(talk.job, 1, [said(1, 'my card is 4111 1111 1111 1111'), said(2)])).toEqual({ turns: 3 });
    await expire(talk);
    await eventually(
      async () => (await read(telephony, talk.agent, talk.call.call_id)).status === 'completed' || undefined,
    );
    const transcript = await transcriptOf(talk);
    expect(transcript.turns.map(({ turn_id }) => turn_id)).toEqual(['t0', 't1', 't2']);
    expect(transcript.turns[2]).toEqual(said(2));
    expect(JSON.stringify(transcript)).not.toContain('4111');
    expect((await eventsOf(talk)).slice(-3)).toEqual(['call.ended', 'call.completed', 'call.transcript.ready']);
    expect(await kept(talk)).toEqual([]);
  });

  it('replace all stored turns from their position on', async () => {
    const talk = await talking('dialing', 'answered');
    await turns(talk.job, 0, [said(0), said(1), said(2), said(3)]);
    expect(await turns(talk.job, 1, [said(1)])).toEqual({ turns: 2 });
    expect(await kept(talk)).toEqual([0, 1]);
  });

  it('are replaced by the transcript sent with the completion', async () => {
    const talk = await talking('dialing', 'answered');
    await turns(talk.job, 0, [said(0)]);
    await complete(telephony, talk.job, { turns: [said(0), said(1)] });
    expect((await transcriptOf(talk)).turns).toHaveLength(2);
    expect(await kept(talk)).toEqual([]);
    expect(await refusal(turns(talk.job, 1, [said(1)]))).toEqual([409, 'ConflictError']);
  });

  it('if there are none, a call whose worker crashed has no transcript (404)', async () => {
    const talk = await talking('dialing', 'answered');
    await expire(talk);
    await eventually(
      async () => (await read(telephony, talk.agent, talk.call.call_id)).status === 'completed' || undefined,
    );
    expect(await refusal(transcriptOf(talk))).toEqual([404, 'NotFoundError']);
  });

  it.each([
    ['before the call is dialed', [], 0, 0],
    ['before the call is answered', ['dialing'], 0, 0],
    ['with another epoch', ['dialing', 'answered'], 1, 0],
    ['after a gap', ['dialing', 'answered'], 0, 1],
  ])('are rejected with 409 %s', async (_, events, ahead, first) => {
    const { job } = await talking(...events);
    expect(await refusal(turns({ ...job, epoch: job.epoch + ahead }, first, [said(0)]))).toEqual([
      409,
      'ConflictError',
    ]);
  });

  it.each([
    ['an empty list', 0, 0, [400, 'BadRequestError']],
    ['51 in one request', 0, 51, [400, 'BadRequestError']],
    ['a negative position', -1, 1, [400, 'BadRequestError']],
    ['a position above 10,000', 10_001, 1, [400, 'BadRequestError']],
    ['a turn after position 10,000', 9_951, 50, [413, 'PayloadTooLargeError']],
    ['turns up to position 10,000 after a gap', 9_950, 50, [409, 'ConflictError']],
  ])('are rejected: %s (position %d, %d turns) with %j', async (_, first, count, answer) => {
    const { job } = await talking('dialing', 'answered');
    const list = Array.from({ length: count }, (__, n) => said(n));
    expect(await refusal(turns(job, first, list))).toEqual(answer);
  });

  it('are accepted up to 50 in one request', async () => {
    const { job } = await talking('dialing', 'answered');
    expect(
      await turns(
        job,
        0,
        Array.from({ length: 50 }, (_, n) => said(n)),
      ),
    ).toEqual({ turns: 50 });
  });

  it('are deleted 24 hours after they were reported, even if the call has not ended', async () => {
    const talk = await talking('dialing', 'answered');
    await turns(talk.job, 0, [said(0), said(1)]);
    await under.db.query({
      text: "update call_turns set reported_at = now() - interval '25 hours' where call_id = $1 and position = 1",
      values: [talk.call.call_id],
    });
    const pruner = createToolCallPruner(under.db, createLogger({ service: 'test', level: 'silent' }));
    await pruner.start();
    await eventually(async () => (await kept(talk)).length === 1 || undefined);
    await pruner.stop();
    expect(await kept(talk)).toEqual([0]);
  });
});

import { routes, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { eventually } from '@parley/testing';
import { addNumber, claim, complete, customer, hostedCaller, place, report } from './test-caller';
import { hostedCapabilities } from './declared-workers';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const turn = (n: number, text: string, more: object = {}) => ({
  turn_id: `t${n}`,
  speaker: 'agent' as const,
  text,
  started_ms: n,
  ended_ms: n + 1,
  ...more,
});

/** A call in progress is followed at another replica than the one that gets its worker's reports. */
describe('watchCall', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  interface Talk {
    readonly agent: AgentForCall;
    readonly callId: string;
    readonly job: WorkerJob;
  }

  const talking = async (controls: string[] = []): Promise<Talk> => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const capabilities = { ...hostedCapabilities, controls };
    const job = await eventually(async () => (await claim(telephony, 1, 2, hostedCaller, capabilities))[0]);
    if (job === undefined) throw new Error('no job was claimed');
    expect(job.call.call_id).toBe(call.call_id);
    await report(telephony, job, 1, 'dialing', 'answered');
    return { agent, callId: call.call_id, job };
  };

  const watch = async ({ agent, callId }: Omit<Talk, 'job'>, after = '', waitMs = 0) => {
    const question = { organizationId: agent.organizationId, callId, after, waitMs };
    const { events, cursor, over } = await second.client.watchCall(question, customer(agent.organizationId));
    return { events: events.map(({ type, data }) => [type, JSON.parse(data) as unknown]), cursor, over };
  };

  const said = ({ job }: Talk, first: number, ...turns: object[]) =>
    telephony.request(routes.reportTurns, {
      caller: hostedCaller,
      params: { job_id: job.job_id },
      body: { epoch: job.epoch, first, turns },
    });

  it('returns the turns so far, then each new or changed turn, and ends when the call ends', async () => {
    const talk = await talking();
    await said(talk, 0, turn(1, 'Hello.'));
    const first = await watch(talk);
    expect(first).toMatchObject({
      events: [
        ['state', { call_id: talk.callId, status: 'answered' }],
        ['turn', { turn_id: 't1', text: 'Hello.' }],
      ],
      over: false,
    });
    expect(await watch(talk, first.cursor)).toEqual({ events: [], cursor: first.cursor, over: false });
    // The reader waits at one replica, the report goes to the other.
    const waiting = watch(talk, first.cursor, 10_000);
    const call = {
      tool_call_id: 'c1',
      name: 'look_up',
      arguments: '{}',
      result: 'ok',
      outcome: 'succeeded',
      duration_ms: 5,
    };
    await said(talk, 0, turn(1, 'Hello, you.'), turn(2, '', { tool_calls: [call] }));
    const next = await waiting;
    expect(next.events).toMatchObject([
      ['turn', { turn_id: 't1', text: 'Hello, you.' }],
      ['turn', { turn_id: 't2' }],
      ['tool', { turn_id: 't2', tool_call_id: 'c1', name: 'look_up', outcome: 'succeeded' }],
    ]);
    await report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
    await complete(telephony, talk.job, {
      turns: [turn(1, 'Hello, you.'), turn(2, '', { tool_calls: [call] }), turn(3, 'Bye.')],
    });
    const last = await eventually(async () => {
      const page = await watch(talk, next.cursor);
      return page.over ? page : undefined;
    });
    expect(last.events).toMatchObject([
      ['state', { status: 'completed' }],
      ['turn', { turn_id: 't3', text: 'Bye.' }],
      ['ended', { call_id: talk.callId, status: 'completed', ended_reason: 'agent_hung_up', transfers: [] }],
    ]);
    // An ended call is returned completely.
    expect((await watch(talk)).events.map(([type]) => type)).toEqual([
      'state',
      'turn',
      'turn',
      'tool',
      'turn',
      'ended',
    ]);
  });

  it('returns partial transcripts to requests waiting at that moment, on any replica, and does not store them', async () => {
    const talk = await talking(['live']);
    await said(talk, 0, turn(1, 'Hello.'));
    const first = await watch(talk);
    const waiting = watch(talk, first.cursor, 10_000);
    // The worker gets the command once, independent of the number of listeners.
    const other = watch(talk, first.cursor, 10_000);
    const commands = await eventually(async () => {
      const { rows } = await under.db.query<{ type: string }>({
        text: 'select type from call_commands where call_id = $1',
        values: [talk.callId],
      });
      return rows.length === 0 ? undefined : rows;
    });
    expect(commands).toEqual([{ type: 'watch' }]);
    const both = Promise.all([waiting, other]);
    let over = false;
    const end = () => (over = true);
    both.then(end, end);
    // Repeated until both replicas have it, because the test cannot see which of them is already waiting.
    await eventually(async () => {
      await telephony.request(routes.reportTurns, {
        caller: hostedCaller,
        params: { job_id: talk.job.job_id },
        body: { epoch: talk.job.epoch, first: 1, turns: [], partial: 'My card is 4111 1111 1111 1111' },
      });
      return over;
    });
    for (const page of await both) expect(page.events).toEqual([['partial', { text: 'My card is [card number]' }]]);
    expect((await watch(talk, first.cursor)).events).toEqual([]);
  });

  it('requests no partial transcripts from a worker without the control "live"', async () => {
    const talk = await talking();
    const first = await watch(talk);
    await watch(talk, first.cursor, 50);
    const { rows } = await under.db.query({
      text: 'select 1 from call_commands where call_id = $1',
      values: [talk.callId],
    });
    expect(rows).toEqual([]);
  });

  it('returns 130 turns in two pages', async () => {
    const talk = await talking();
    const turns = Array.from({ length: 130 }, (_, n) => turn(n, `Turn ${n}.`));
    for (let at = 0; at < 130; at += 50) await said(talk, at, ...turns.slice(at, at + 50));
    const first = await watch(talk);
    const rest = await watch(talk, first.cursor);
    const seen = [...first.events, ...rest.events].filter(([type]) => type === 'turn');
    expect(seen.map(([, data]) => (data as { turn_id: string }).turn_id)).toEqual(turns.map(({ turn_id: id }) => id));
  });

  it("answers 404 for another organization's or an unknown call, and 400 to an invalid cursor", async () => {
    const talk = await talking();
    const foreign = { ...talk, agent: under.fakes.addAgent() };
    expect(await refusal(watch(foreign))).toEqual([404, 'NotFoundError']);
    expect(await refusal(watch({ ...talk, callId: 'call_x' }))).toEqual([404, 'NotFoundError']);
    expect(await refusal(watch(talk, 'x'))).toEqual([400, 'BadRequestError']);
  });
});

import { routes, type CallRecord, type WorkerJob, type WorkerTurns } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { cancelCall, complete, hostedCaller, idleWorker, read, report } from './test-caller';
import { account, adopt, callAt, dial, slots, WebhookDoor, withLine, type Dialing } from './lines-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { TwilioProtocolCarrier } from './twilio/carrier';

const said = (n: number, text = `turn ${n}`) => ({
  turn_id: `turn_${n}`,
  speaker: n % 2 === 0 ? ('agent' as const) : ('callee' as const),
  text,
  started_ms: n * 1_000,
  ended_ms: n * 1_000 + 900,
});

/** Calls on lines of a carrier with Twilio's protocols, whose worker crashes, freezes or stops. The tests act as the workers. */
describe('a call on a Twilio line whose worker is lost', () => {
  const door = new WebhookDoor();
  let carrier: TwilioProtocolCarrier;
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;
  let stopWorker: () => Promise<void>;

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    under = await telephonyUnderTest();
    const publicUrl = await door.start();
    const settings = { twilioApiUrl: carrier.url, publicUrl, mediaStreamUrl: undefined, carrierCallsPerSecond: 100 };
    telephony = await under.start({ ...settings, workerLeaseSeconds: 300 });
    second = await under.start({ ...settings, workerLeaseSeconds: 2, leasesReapedAtLeast: 100 });
    stopWorker = idleWorker(second);
    door.to = telephony;
  });
  afterAll(async () => {
    expect(await carrier.violations()).toEqual([]);
    await stopWorker();
    await under.stop();
    await door.stop();
    await carrier.stop();
  });
  beforeEach(async () => {
    const text = `update jobs set state = 'done', lease_expires_at = null, finished_at = now() where state <> 'done'`;
    await under.db.query({ text });
    await under.db.query({ text: 'delete from adopting_workers' });
    await slots(telephony, 10);
  });

  interface Talk {
    readonly line: Dialing;
    readonly callId: string;
    readonly sid: string;
    readonly job: WorkerJob;
  }

  /** A call in progress that a worker has adopted. */
  async function talking(...events: string[]): Promise<Talk> {
    const line = await withLine(under, telephony);
    await carrier.at(line.to, { media: false });
    const callId = await dial(telephony, line);
    const { tokens, sid } = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    const job = await adopt(telephony, tokens[0] ?? '', 'first');
    if (events.length > 0) await report(telephony, job, 1, ...events);
    return { line, callId, sid, job };
  }

  const keep = async ({ job }: Pick<Talk, 'job'>, body: Partial<WorkerTurns>): Promise<unknown> =>
    (
      await telephony.request(routes.reportTurns, {
        caller: hostedCaller,
        params: { job_id: job.job_id },
        body: { epoch: job.epoch, first: 0, turns: [], ...body },
      })
    ).body;

  const snapshot = { form: 1, rest: 'forty dollars' };

  /** A call in progress with two reported turns and a snapshot. */
  async function known(): Promise<Talk> {
    const talk = await talking('answered', 'media_started');
    await keep(talk, { turns: [said(0), said(1)], snapshot });
    return talk;
  }

  /** The token of the stream that follows the first one. */
  const nextToken = async ({ line }: Talk, nth = 2): Promise<string> => {
    const call = await callAt(carrier, line.to, ({ tokens }) => tokens.length >= nth);
    return call.tokens.at(-1) ?? '';
  };

  const over = ({ line, callId }: Talk): Promise<CallRecord> =>
    eventually(async () => {
      const call = await read(telephony, line.agent, callId);
      return ['completed', 'failed', 'canceled'].includes(call.status) ? call : undefined;
    });

  const set = ({ callId }: Talk, change: string) =>
    under.db.query({ text: `update jobs set ${change} where call_id = $1`, values: [callId] });

  const rowsOf = async ({ callId }: Talk, table: string): Promise<number> => {
    const { rows } = await under.db.query<{ count: number }>({
      text: `select count(*)::integer as count from ${table} where call_id = $1`,
      values: [callId],
    });
    return rows[0]?.count ?? -1;
  };

  const endsOf = async ({ callId }: Talk): Promise<string[]> => {
    const { rows } = await under.db.query<{ type: string }>({
      text: `select type from call_events where call_id = $1 and type in ('call.ended', 'call.completed', 'call.failed') order by resource_seq`,
      values: [callId],
    });
    return rows.map(({ type }) => type);
  };

  it('is adopted by another worker, with turns, snapshot and tool calls, when its stream ends; the first worker gets 409', async () => {
    const talk = await known();
    const tool = { tool_call_id: 'tc_1', name: 'book', run_id: 'run_1', epoch: talk.job.epoch };
    await under.db.query({
      text: `insert into tool_calls (organization_id, call_id, tool_call_id, name, run_id, epoch) values ($1, $2, $3, $4, $5, $6)`,
      values: [talk.line.agent.organizationId, talk.callId, tool.tool_call_id, tool.name, tool.run_id, tool.epoch],
    });
    await set(talk, "permitted_at = now() - interval '1 minute'");
    await under.db.query({
      text: "update calls set answered_at = now() - interval '20 seconds' where call_id = $1",
      values: [talk.callId],
    });
    await carrier.act('stream-ended', talk.sid);
    const job = await adopt(second, await nextToken(talk), 'second');
    expect(job.epoch).toBeGreaterThan(talk.job.epoch);
    expect(job.call).toMatchObject({ call_id: talk.callId, status: 'answered' });
    expect(job.resume).toMatchObject({
      snapshot,
      turns: [said(0), said(1)],
      tool_calls: [{ tool_call_id: 'tc_1', name: 'book', outcome: null, result: null }],
      recording: null,
    });
    expect(job.resume?.elapsed_ms).toBeGreaterThanOrEqual(20_000);
    expect(job.resume?.elapsed_ms).toBeLessThan(40_000);
    expect(await refusal(keep(talk, { turns: [said(0)] }))).toEqual([409, 'ConflictError']);
    expect(await refusal(report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'agent_hung_up' }))).toEqual([
      409,
      'ConflictError',
    ]);
    await keep({ job }, { first: 2, turns: [said(2)] });
    await report(telephony, job, 1, { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, job, { turns: [said(0), said(1), said(2)] });
    expect(await over(talk)).toMatchObject({ status: 'completed', ended_reason: 'callee_hung_up' });
    expect(await endsOf(talk)).toEqual(['call.ended', 'call.completed']);
    expect(await carrier.calls(talk.line.to)).toHaveLength(1);
    expect(await rowsOf(talk, 'call_snapshots')).toBe(0);
  });

  it('is adopted by one of two workers with the same token; the other gets 409, and a repetition the same job', async () => {
    const talk = await known();
    await carrier.act('stream-ended', talk.sid);
    const token = await nextToken(talk);
    const adopted = await Promise.allSettled([adopt(telephony, token, 'a'), adopt(second, token, 'b')]);
    const winner = adopted[0]?.status === 'fulfilled' ? 'a' : 'b';
    expect(adopted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(adopt(telephony, token, 'c'))).toEqual([409, 'ConflictError']);
    const again = await adopt(telephony, token, winner);
    expect(again.resume).toMatchObject({ snapshot, turns: [said(0), said(1)] });
  });

  it('is adopted by another worker after its lease expired', async () => {
    const talk = await known();
    await set(talk, 'lease_expires_at = clock_timestamp()');
    const job = await adopt(second, await nextToken(talk), 'second');
    expect(job.resume).toMatchObject({ snapshot });
    expect(await refusal(keep(talk, { turns: [said(0)] }))).toEqual([409, 'ConflictError']);
    expect((await read(telephony, talk.line.agent, talk.callId)).status).toBe('answered');
  });

  it('starts with another worker if it was not answered yet', async () => {
    const talk = await talking();
    await carrier.act('stream-ended', talk.sid);
    const job = await adopt(second, await nextToken(talk), 'second');
    expect([job.resume, job.call.status]).toEqual([undefined, 'dialing']);
  });

  it('is not handed over if its worker sent no snapshot; that worker reports the end', async () => {
    const talk = await talking('answered', 'media_started');
    await carrier.act('stream-ended', talk.sid);
    await report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
    await complete(telephony, talk.job);
    expect(await over(talk)).toMatchObject({ ended_reason: 'agent_hung_up' });
    expect((await callAt(carrier, talk.line.to, ({ status }) => status === 'completed')).tokens).toHaveLength(1);
  });

  it('is not handed over if its worker has reported the end', async () => {
    const talk = await known();
    await report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
    await carrier.act('stream-ended', talk.sid);
    await complete(telephony, talk.job, { turns: [said(0), said(1)] });
    expect(await over(talk)).toMatchObject({ status: 'completed', ended_reason: 'agent_hung_up' });
    expect((await callAt(carrier, talk.line.to, ({ status }) => status === 'completed')).tokens).toHaveLength(1);
  });

  it('ends as worker_lost with its transcript, and is hung up, if no worker adopts it within 30 seconds', async () => {
    const talk = await known();
    await carrier.act('stream-ended', talk.sid);
    await nextToken(talk);
    await set(talk, "lost_at = now() - interval '31 seconds'");
    await under.db.query({
      text: 'update carrier_lines set check_at = now() where call_id = $1',
      values: [talk.callId],
    });
    expect(await over(talk)).toMatchObject({ status: 'completed', ended_reason: 'worker_lost' });
    await callAt(carrier, talk.line.to, ({ status }) => status === 'completed');
    expect(await endsOf(talk)).toEqual(['call.ended', 'call.completed']);
    const { body } = await telephony.request(routes.getTranscript, {
      caller: customerCaller(talk.line.agent.organizationId),
      params: { call_id: talk.callId },
    });
    expect(body.turns).toEqual([said(0), said(1)]);
  });

  it('waits while no worker has a free slot, and is adopted by the first that has', async () => {
    const talk = await known();
    await under.db.query({ text: 'delete from adopting_workers' });
    await carrier.act('stream-ended', talk.sid);
    await eventually(async () => {
      const { rows } = await under.db.query<{ state: string }>({
        text: 'select state from jobs where call_id = $1',
        values: [talk.callId],
      });
      return rows[0]?.state === 'adoptable' || undefined;
    });
    expect((await carrier.calls(talk.line.to))[0]?.tokens).toHaveLength(1);
    await slots(telephony, 1, 'second');
    expect((await adopt(second, await nextToken(talk), 'second')).resume).toMatchObject({ snapshot });
  });

  it('ends if the callee hangs up while it has no worker', async () => {
    const talk = await known();
    await under.db.query({ text: 'delete from adopting_workers' });
    await carrier.act('stream-ended', talk.sid);
    await eventually(async () => {
      const { rows } = await under.db.query<{ lost: boolean }>({
        text: 'select lost_at is not null as lost from jobs where call_id = $1',
        values: [talk.callId],
      });
      return rows[0]?.lost || undefined;
    });
    await carrier.act('hang-up', talk.sid);
    expect(await over(talk)).toMatchObject({ status: 'completed', ended_reason: 'carrier_completed' });
    expect(await endsOf(talk)).toEqual(['call.ended', 'call.completed']);
  });

  it('can be canceled while it has no worker', async () => {
    const talk = await known();
    await carrier.act('stream-ended', talk.sid);
    await nextToken(talk);
    await cancelCall(telephony, talk.line.agent.organizationId, talk.callId);
    expect(await over(talk)).toMatchObject({ status: 'completed', ended_reason: 'canceled' });
    await callAt(carrier, talk.line.to, ({ status }) => status === 'completed');
  });

  it('is adopted by another worker even during maintenance', async () => {
    const talk = await known();
    await carrier.act('stream-ended', talk.sid);
    const token = await nextToken(talk);
    under.fakes.control.maintenance = true;
    try {
      expect((await adopt(second, token, 'second')).resume).toMatchObject({ snapshot });
    } finally {
      under.fakes.control.maintenance = false;
    }
  });

  describe('because the worker is stopping', () => {
    const ask = async ({ job }: Talk, epoch = job.epoch) =>
      (
        await telephony.request(routes.requestHandOver, {
          caller: hostedCaller,
          params: { job_id: job.job_id },
          body: { epoch },
        })
      ).body;

    it('is handed over if another worker has a free slot', async () => {
      const talk = await known();
      expect(await ask(talk)).toEqual({ granted: true });
      await keep(talk, { first: 2, hands_over: true });
      expect(await refusal(keep(talk, { turns: [said(0)] }))).toEqual([409, 'ConflictError']);
      await carrier.act('stream-ended', talk.sid);
      expect((await adopt(second, await nextToken(talk), 'second')).resume).toMatchObject({ snapshot });
    });

    it('is handed over only up to the number of free slots of other workers', async () => {
      const [one, two] = [await known(), await known()];
      await under.db.query({ text: 'delete from adopting_workers' });
      expect(await ask(one)).toEqual({ granted: false });
      await slots(telephony, 1, 'other');
      expect([await ask(one), await ask(two)]).toEqual([{ granted: true }, { granted: false }]);
    });

    it('is not handed over without a snapshot; a request with a stale epoch gets 409', async () => {
      const talk = await talking('answered', 'media_started');
      expect(await ask(talk)).toEqual({ granted: false });
      expect(await refusal(ask(talk, talk.job.epoch + 1))).toEqual([409, 'ConflictError']);
      expect(await refusal(keep(talk, { hands_over: true }))).toEqual([409, 'ConflictError']);
    });
  });

  it.each([
    ['an empty report gets 400', {}, [400, 'BadRequestError']],
    ['only a snapshot is accepted', { snapshot: { form: 1 } }, undefined],
    ['a snapshot of 64 KiB is accepted', { snapshot: { a: 'x'.repeat(64 * 1024 - 8) } }, undefined],
    ['a longer snapshot gets 400', { snapshot: { a: 'x'.repeat(64 * 1024 - 7) } }, [400, 'BadRequestError']],
  ])('reports of turns and snapshots: %s', async (_, body, answer) => {
    const talk = await talking('answered', 'media_started');
    const sent = keep(talk, body);
    if (answer === undefined) expect(await sent).toEqual({ turns: 0 });
    else expect(await refusal(sent)).toEqual(answer);
  });

  it('card numbers are masked in snapshots', async () => {
    const talk = await talking('answered', 'media_started');
    await keep(talk, { snapshot: { rest: 'your card 4111 1111 1111 1111' } });
    const { rows } = await under.db.query<{ body: string }>({
      text: 'select body from call_snapshots where call_id = $1',
      values: [talk.callId],
    });
    expect(rows[0]?.body).toBe('{"rest":"your card [card number]"}');
  });

  it("a customer's hand-over request for another organization's call gets 404", async () => {
    const talk = await known();
    const { agent } = await withLine(under, telephony);
    const asked = telephony.request(routes.requestHandOver, {
      caller: customerCaller(agent.organizationId),
      params: { job_id: talk.job.job_id },
      body: { epoch: talk.job.epoch },
    });
    expect(await refusal(asked)).toEqual([404, 'NotFoundError']);
  });
});

import { routes, type CallRecord } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { cancelCall, complete, customer, freshNumber, numbersOf, read, report } from './test-caller';
import { account, adopt, callAt, dial, slots, WebhookDoor, withLine, type Dialing } from './lines-of';
import { refusal } from './refusal';
import { storeAccount } from './test-messages';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { TwilioProtocolCarrier, type Scenario } from './twilio/carrier';

/** The callee answers; the test controls the stream. */
const answers: Scenario = { media: false };

describe('outbound calls that telephony dials through a Twilio account', () => {
  const door = new WebhookDoor();
  let carrier: TwilioProtocolCarrier;
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;
  let settings: Parameters<UnderTest['start']>[0];

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    under = await telephonyUnderTest();
    const publicUrl = await door.start();
    const api = { twilioApiUrl: carrier.url };
    settings = {
      ...api,
      publicUrl,
      mediaStreamUrl: undefined,
      workerLeaseSeconds: 300,
      carrierCallsPerSecond: 100,
    };
    telephony = await under.start(settings);
    second = await under.start(settings);
    door.to = telephony;
  });
  afterAll(async () => {
    expect(await carrier.violations()).toEqual([]);
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

  const ended = ({ agent }: Dialing, callId: string): Promise<CallRecord> =>
    eventually(async () => {
      const call = await read(telephony, agent, callId);
      return ['completed', 'failed', 'canceled'].includes(call.status) ? call : undefined;
    });

  const lineOf = async (callId: string) => {
    const { rows } = await under.db.query<{ state: string; carrier_call_id: string | null }>({
      text: 'select state, carrier_call_id from carrier_lines where call_id = $1',
      values: [callId],
    });
    return rows[0];
  };

  const dueNow = (callId: string, rest = '') =>
    under.db.query({
      text: `update carrier_lines set check_at = now()${rest} where call_id = $1`,
      values: [callId],
    });

  const closed = (callId: string): Promise<boolean> =>
    eventually(async () => ((await lineOf(callId))?.state === 'closed' ? true : undefined));

  const started = async (scenario: Scenario) => {
    const line = await withLine(under, telephony);
    await carrier.at(line.to, scenario);
    return { line, callId: await dial(telephony, line) };
  };

  it('are placed once, adopted by a worker with the token of the media stream, and hung up after the worker ends them', async () => {
    const { line, callId } = await started(answers);
    const { tokens, sid } = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    const job = await adopt(second, tokens[0] ?? '');
    expect(job.call).toMatchObject({ call_id: callId, status: 'dialing', direction: 'outbound', carrier: 'twilio' });
    await report(second, job, 1, 'dialing', 'answered', 'media_started');
    await report(telephony, job, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
    await complete(telephony, job);
    await carrier.act('stream-ended', sid);
    await callAt(carrier, line.to, (call) => call.status === 'completed');
    await closed(callId);
    const call = await read(telephony, line.agent, callId);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'agent_hung_up', carrier: 'twilio' });
    const [placed, ...more] = await carrier.calls(line.to);
    expect(more).toEqual([]);
    expect(placed?.reports.map(({ status, answered }) => [status, answered])).toEqual([
      ['queued', 200],
      ['ringing', 200],
      ['in-progress', 200],
      ['completed', 200],
    ]);
  });

  it('are placed and hung up through the account that their number has, whatever account is stored later', async () => {
    const line = await withLine(under, telephony);
    const newer = { accountSid: `AC${'9'.repeat(32)}`, authToken: 'token-of-another-account' };
    await storeAccount(telephony, line.agent.organizationId, newer);
    await carrier.at(line.to, { does: 'rings' });
    const callId = await dial(telephony, line);
    await eventually(async () => ((await lineOf(callId))?.state === 'ringing' ? true : undefined));
    await cancelCall(second, line.agent.organizationId, callId);
    await callAt(carrier, line.to, ({ status }) => status === 'canceled');
    const { rows } = await under.db.query<{ account_sid: string }>({
      text: 'select account_sid from carrier_lines where call_id = $1',
      values: [callId],
    });
    expect(rows).toEqual([{ account_sid: account.accountSid }]);
  });

  it('let only one worker adopt a stream token, store no token in plain text, and answer 404 after a cancellation', async () => {
    const { line, callId } = await started(answers);
    const { tokens } = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    const token = tokens[0] ?? '';
    const adopted = await Promise.allSettled([adopt(telephony, token, 'a'), adopt(second, token, 'b')]);
    expect(adopted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { rows } = await under.db.query<{ whole: string }>({
      text: `select row_to_json(l)::text || row_to_json(j)::text as whole from carrier_lines l join jobs j using (job_id) where l.call_id = $1`,
      values: [callId],
    });
    expect(rows[0]?.whole).not.toContain(token);
    const other = await started(answers);
    const late = await callAt(carrier, other.line.to, (call) => call.tokens.length > 0);
    await cancelCall(telephony, other.line.agent.organizationId, other.callId);
    expect(await refusal(adopt(telephony, late.tokens[0] ?? ''))).toEqual([404, 'NotFoundError']);
  });

  it('issue a new token for each media stream; the previous one gets 404', async () => {
    const { line } = await started(answers);
    const first = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    await carrier.act('stream-ended', first.sid);
    const { tokens } = await callAt(carrier, line.to, (call) => call.tokens.length > 1);
    expect(await refusal(adopt(telephony, tokens[0] ?? ''))).toEqual([404, 'NotFoundError']);
    expect((await adopt(telephony, tokens[1] ?? '')).call).toMatchObject({ to: line.to });
  });

  it.each<[Scenario['does'], string, string | null]>([
    ['busy', 'busy', 'sip_486'],
    ['no-answer', 'no_answer', 'sip_480'],
    ['failed', 'carrier_failure', 'sip_404'],
    ['declines', 'declined', 'sip_603'],
  ])('with carrier result %s fail as %s, and cost nothing', async (does, reason, detail) => {
    const { line, callId } = await started({ does });
    const call = await ended(line, callId);
    expect(call).toMatchObject({ status: 'failed', ended_reason: reason, reason_detail: detail });
    expect(call.cost.amount_micros).toBe(0);
    await closed(callId);
  });

  it.each<[Exclude<Scenario['api'], string | undefined>, string]>([
    [{ status: 401, body: { code: 20003, message: 'Authenticate' } }, 'twilio_20003'],
    [{ status: 400, body: { code: 21211, message: "The 'To' number is not valid" } }, 'twilio_21211'],
    [{ status: 429, body: { code: 20429, message: 'Too Many Requests' } }, 'twilio_20429'],
    [{ status: 403, body: {} }, 'twilio_http_403'],
  ])('fail as carrier_failure if the carrier API answers %j, with reason_detail %s', async (api, detail) => {
    const { line, callId } = await started({ api });
    const call = await ended(line, callId);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'carrier_failure', reason_detail: detail });
    expect(call.problems).toMatchObject([{ code: 'carrier_failure' }]);
    expect(JSON.stringify(call)).not.toContain(account.authToken);
  });

  it('continue if the carrier API gave no response but its status callbacks arrive', async () => {
    const { line, callId } = await started({ ...answers, api: 'drops after' });
    const { tokens, sid } = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    expect((await adopt(telephony, tokens[0] ?? '')).call).toMatchObject({ call_id: callId });
    expect(await lineOf(callId)).toMatchObject({ carrier_call_id: sid });
    expect(await carrier.calls(line.to)).toHaveLength(1);
  });

  it("are found in the carrier's list of calls if the API gave no response and no status callback arrives", async () => {
    door.to = undefined;
    try {
      const { line, callId } = await started({ does: 'rings', api: 'drops after' });
      const { sid } = await callAt(carrier, line.to, (call) => call.status === 'ringing');
      // Again and again, because a line whose carrier did not respond in time is left alone for 15 s.
      await eventually(async () => {
        await dueNow(callId);
        return (await lineOf(callId))?.carrier_call_id === sid ? true : undefined;
      });
      door.to = telephony;
      await carrier.act('answer', sid);
      const { tokens } = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
      expect((await adopt(telephony, tokens[0] ?? '')).call).toMatchObject({ call_id: callId });
    } finally {
      door.to = telephony;
    }
  });

  it('fail as not_dialed, without a second attempt, if the carrier never received the request', async () => {
    const { line, callId } = await started({ api: 'drops before' });
    await eventually(async () => ((await lineOf(callId)) === undefined ? undefined : true));
    await dueNow(callId);
    expect(await ended(line, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'carrier_failure',
      reason_detail: 'not_dialed',
    });
    expect(await carrier.calls(line.to)).toEqual([]);
  });

  it('are hung up at the carrier if they are canceled while ringing', async () => {
    const { line, callId } = await started({ does: 'rings' });
    await callAt(carrier, line.to, ({ status }) => status === 'ringing');
    await eventually(async () => ((await lineOf(callId))?.state === 'ringing' ? true : undefined));
    await cancelCall(second, line.agent.organizationId, callId);
    await callAt(carrier, line.to, ({ status }) => status === 'canceled');
    expect(await ended(line, callId)).toMatchObject({ status: 'canceled', ended_reason: 'canceled' });
    await closed(callId);
  });

  it('are hung up and fail as no_answer when the ringing time is over, even without a status callback', async () => {
    const { line, callId } = await started({ does: 'rings' });
    await callAt(carrier, line.to, ({ status }) => status === 'ringing');
    await eventually(async () => ((await lineOf(callId))?.state === 'ringing' ? true : undefined));
    // Again and again, because a step that is under way may set a later time.
    await eventually(async () => {
      await dueNow(callId, `, ring_until = now() - interval '6 seconds'`);
      return (await lineOf(callId))?.state === 'ringing' ? undefined : true;
    });
    expect(await ended(line, callId)).toMatchObject({ status: 'failed', ended_reason: 'no_answer' });
    await callAt(carrier, line.to, ({ status }) => status === 'canceled');
  });

  it('are hung up and fail as no_stream if no worker adopts the media stream of the answered call', async () => {
    const { line, callId } = await started(answers);
    await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    await eventually(async () => ((await lineOf(callId))?.state === 'answered' ? true : undefined));
    await dueNow(callId, `, answered_at = now() - interval '21 seconds'`);
    expect(await ended(line, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'carrier_failure',
      reason_detail: 'no_stream',
      cost: { amount_micros: 0 },
    });
    await callAt(carrier, line.to, ({ status }) => status === 'completed');
  });

  it('stay queued while connected workers have no free slot', async () => {
    await slots(telephony, 5, 'gone');
    await under.db.query({ text: `update adopting_workers set heard_at = now() - interval '13 seconds'` });
    await slots(telephony, 1);
    const [first, next] = [await started({ does: 'rings' }), await started({ does: 'rings' })];
    const rings = await callAt(carrier, first.line.to, ({ status }) => status === 'ringing');
    expect(await read(telephony, next.line.agent, next.callId)).toMatchObject({ status: 'queued' });
    expect(await carrier.calls(next.line.to)).toEqual([]);
    await carrier.act('hang-up', rings.sid);
    await callAt(carrier, next.line.to, ({ status }) => status === 'ringing');
  });

  it('prevent release of their number (409) and mark their agent as live while they ring', async () => {
    const { line, callId } = await started({ does: 'rings' });
    const { agent } = line;
    const { sid } = await callAt(carrier, line.to, ({ status }) => status === 'ringing');
    const [number] = await numbersOf(telephony, agent);
    const release = () =>
      telephony.request(routes.releaseNumber, {
        caller: customerCaller(agent.organizationId),
        params: { number_id: number?.number_id ?? '' },
      });
    expect(await refusal(release())).toEqual([409, 'ConflictError']);
    const { organizationId, agentId } = agent;
    const live = () => telephony.client.hasLiveCalls({ organizationId, agentId }, customer(organizationId));
    expect(await live()).toEqual({ live: true });
    await carrier.act('hang-up', sid);
    await ended(line, callId);
    expect((await release()).body).toMatchObject({ number_id: number?.number_id });
    expect(await live()).toEqual({ live: false });
  });

  describe('are rate-limited', () => {
    const limitedTo = async (limits: Partial<typeof settings>): Promise<Instance> => {
      const at = await under.start({ ...settings, ...limits });
      for (const one of [telephony, second]) await one.stop();
      [telephony, second] = [at, at];
      door.to = at;
      await slots(at, 10);
      return at;
    };
    /** The seconds between the calls to these numbers, in the order in which they were placed. */
    const apart = async (lines: readonly Dialing[]): Promise<number[]> => {
      const { rows } = await under.db.query<{ apart: number | null }>({
        text: `select extract(epoch from opened_at - lag(opened_at) over (order by opened_at))::float8 as apart
               from carrier_lines l join calls c using (call_id) where c.to_number = any($1) order by opened_at`,
        values: [lines.map(({ to }) => to)],
      });
      return rows.flatMap(({ apart: seconds }) => seconds ?? []);
    };
    const ringing = async (at: Instance, lines: readonly Dialing[]): Promise<void> => {
      for (const line of lines) await carrier.at(line.to, { does: 'rings' });
      for (const line of lines) await dial(at, line);
      for (const line of lines) await callAt(carrier, line.to, ({ status }) => status === 'ringing');
    };

    it('per carrier account, over all organizations that share it (carrierCallsPerSecond)', async () => {
      const at = await limitedTo({ carrierCallsPerSecond: 1 });
      const lines = [await withLine(under, at), await withLine(under, at), await withLine(under, at)];
      await ringing(at, lines);
      const seconds = await apart(lines);
      expect(seconds).toHaveLength(2);
      for (const between of seconds) expect(between).toBeGreaterThanOrEqual(1);
    });

    it('per organization, without delaying other organizations (organizationCallsPerSecond)', async () => {
      const at = await limitedTo({ organizationCallsPerSecond: 1 });
      const line = await withLine(under, at);
      const ours = [line, { ...line, to: freshNumber() }, { ...line, to: freshNumber() }];
      const theirs = await withLine(under, at);
      await ringing(at, [...ours, theirs]);
      const seconds = await apart(ours);
      expect(seconds).toHaveLength(2);
      for (const between of seconds) expect(between).toBeGreaterThanOrEqual(1);
      // Placed while the second and the third call of the other organization are waiting.
      expect(Math.min(...(await apart([...ours, theirs])))).toBeLessThan(1);
    });
  });
});

import { routes, type CallTransfer, type WorkerCommand, type WorkerJob } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { complete, freshNumber, hostedCaller, read, report } from './test-caller';
import { hostedCapabilities } from './declared-workers';
import { account, callAt, dial, slots, WebhookDoor, withLine, type Dialing } from './lines-of';
import { setPolicy } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { TwilioProtocolCarrier, type Scenario } from './twilio/carrier';

/** A call over a carrier's line is transferred: the carrier's server calls the other party and puts both into one room. */
describe('transfers of calls on Twilio lines', () => {
  const door = new WebhookDoor();
  let carrier: TwilioProtocolCarrier;
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;
  let settings: Parameters<UnderTest['start']>[0] & { readonly twilioApiUrl?: string };

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    under = await telephonyUnderTest();
    settings = {
      twilioApiUrl: carrier.url,
      publicUrl: await door.start(),
      mediaStreamUrl: undefined,
      sipTransferHosts: 'desks.example,PBX.example',
      workerLeaseSeconds: 300,
      carrierCallsPerSecond: 100,
    };
    telephony = await under.start(settings);
    second = await under.start(settings);
    door.to = telephony;
  });
  afterAll(async () => {
    // Stopped first: what the instances still had to do may be a violation.
    await under.stop();
    const violations = await carrier.violations();
    await door.stop();
    await carrier.stop();
    expect(violations).toEqual([]);
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

  const talking = async (controls = ['transfer'], scenario: Scenario = {}): Promise<Talk> => {
    const line = await withLine(under, telephony);
    await carrier.at(line.to, { media: false, ...scenario });
    const callId = await dial(telephony, line);
    const { tokens, sid } = await callAt(carrier, line.to, (call) => call.tokens.length > 0);
    const body = { token: tokens[0] ?? '', worker_id: 'engine', capabilities: { ...hostedCapabilities, controls } };
    const { body: job } = await second.request(routes.adoptWorkerJob, { caller: hostedCaller, body });
    await report(second, job, 1, 'dialing', 'answered', 'media_started');
    return { line, callId, sid, job };
  };

  const desk = async (scenario: Scenario): Promise<string> => {
    const to = freshNumber();
    await carrier.at(to, { media: false, ...scenario });
    return to;
  };

  const transfer = ({ line, callId }: Talk, body: CallTransfer, key = '', at = telephony) =>
    at.request(routes.transferCall, {
      caller: customerCaller(line.agent.organizationId),
      params: { call_id: callId },
      body,
      key,
    });

  const tool = async ({ job }: Talk, to: string, more: object = {}) =>
    (
      await second.request(routes.transferJob, {
        caller: hostedCaller,
        params: { job_id: job.job_id },
        body: { epoch: job.epoch, tool_call_id: 'call-1', to, kind: 'cold', ...more },
      })
    ).body;

  /** A command that the worker of a call has received and not confirmed. */
  const command = async ({ job }: Talk, which: (one: WorkerCommand) => boolean): Promise<WorkerCommand | undefined> => {
    const request = { caller: hostedCaller, body: { worker_id: 'engine' } };
    const { commands } = (await second.request(routes.takeCommands, request)).body;
    return commands.find((one) => one.job_id === job.job_id && which(one));
  };

  const shown = async ({ line, callId }: Talk) => (await read(telephony, line.agent, callId)).transfers;

  const secondsToCheck = async ({ callId }: Talk): Promise<number> => {
    const { rows } = await under.db.query<{ seconds: number }>({
      text: 'select extract(epoch from check_at - now())::float8 as seconds from carrier_lines where call_id = $1',
      values: [callId],
    });
    return rows[0]?.seconds ?? 0;
  };

  const secondsFromEndToCheck = async ({ callId }: Talk): Promise<number> => {
    const { rows } = await under.db.query<{ seconds: number }>({
      text: `select extract(epoch from check_at - finished_at)::float8 as seconds
             from carrier_lines join jobs using (call_id) where call_id = $1`,
      values: [callId],
    });
    return rows[0]?.seconds ?? 0;
  };

  /** The worker leaves the line, and reports the call as ended. */
  const letGo = async ({ job, sid }: Talk, reason = 'transferred'): Promise<void> => {
    await report(telephony, job, 2, { type: 'ended', ended_reason: reason });
    await complete(telephony, job);
    await carrier.act('stream-ended', sid);
  };

  it('put both parties into one conference if the transfer target answers; the call ends as transferred', async () => {
    const talk = await talking();
    const to = await desk({});
    expect(await tool(talk, to)).toMatchObject({ outcome: 'connected' });
    const leg = await callAt(carrier, to, ({ conferences }) => conferences.length > 0);
    await letGo(talk);
    const line = await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    expect(line.conferences).toEqual(leg.conferences);
    // Neither line is hung up, although the call has ended for the platform.
    await under.db.query({
      text: 'update carrier_lines set check_at = now() where call_id = $1',
      values: [talk.callId],
    });
    await eventually(async () => ((await secondsToCheck(talk)) > 60 ? true : undefined));
    // Nor is the carrier queried again and again: once the next query is later than those from before the end, nothing brings it forward.
    await eventually(async () => ((await secondsFromEndToCheck(talk)) > 302 ? true : undefined));
    expect([line.status, leg.status]).toEqual(['in-progress', 'in-progress']);
    const call = await read(telephony, talk.line.agent, talk.callId);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'transferred' });
    expect(call.transfers).toEqual([{ to, kind: 'cold', outcome: 'connected', at: expect.any(String) }]);
    await carrier.act('hang-up', leg.sid);
    await callAt(carrier, talk.line.to, ({ status }) => status === 'completed');
  });

  it('of kind warm: the announcement is spoken to the transfer target only, before both are connected', async () => {
    const talk = await talking();
    const to = await desk({});
    const { body } = await transfer(talk, { to, kind: 'warm', announcement: 'Ada & Bob <wait>' });
    expect(body).toMatchObject({ call_id: talk.callId, to, kind: 'warm' });
    const leg = await callAt(carrier, to, ({ conferences }) => conferences.length > 0);
    expect(leg.says).toEqual(['Ada & Bob <wait>']);
    expect((await callAt(carrier, talk.line.to)).says).toEqual([]);
    // The worker gets a command, and leaves the line.
    const taken = await eventually(() => command(talk, ({ type }) => type === 'transfer'));
    expect(taken).toMatchObject({ fields: { transfer_id: body.transfer_id } });
    // The worker's report about the line does not determine why the call ended.
    await letGo(talk, 'callee_hung_up');
    await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({ ended_reason: 'transferred' });
  });

  it('requested by an operator: the worker knows how long the transfer may take, and when it has failed', async () => {
    const talk = await talking();
    const to = await desk({ does: 'rings' });
    const announcement = 'a'.repeat(80);
    const { body } = await transfer(talk, { to, kind: 'warm', announcement });
    const begun = await eventually(() => command(talk, ({ type }) => type === 'transferring'));
    // A minute until the leg is checked, ten seconds for the announcement, and half a minute without telephony.
    expect(begun).toMatchObject({ fields: { transfer_id: body.transfer_id, seconds: 100 } });
    await carrier.act('hang-up', (await callAt(carrier, to)).sid);
    const failed = await eventually(() => command(talk, ({ fields }) => fields['seconds'] === 0));
    expect(failed).toMatchObject({ type: 'transferring', fields: { transfer_id: body.transfer_id } });
    expect(await tool(talk, await desk({ does: 'busy' }))).toMatchObject({ outcome: 'busy' });
    expect(await command(talk, ({ fields }) => fields['transfer_id'] !== body.transfer_id)).toBeUndefined();
  });

  it.each<[NonNullable<Scenario['does']>, string]>([
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['declines', 'declined'],
    ['failed', 'failed'],
  ])('to a target that does not answer (%s): the call stays with the agent, outcome %s', async (does, outcome) => {
    const talk = await talking();
    const to = await desk({ does });
    expect(await tool(talk, to)).toMatchObject({ outcome });
    expect(await shown(talk)).toEqual([{ to, kind: 'cold', outcome, at: expect.any(String) }]);
    expect((await callAt(carrier, talk.line.to)).status).toBe('in-progress');
    // A second attempt is a separate leg.
    expect(await tool(talk, await desk({}), { tool_call_id: 'call-2' })).toMatchObject({ outcome: 'connected' });
    expect((await shown(talk)).map((one) => one.outcome)).toEqual([outcome, 'connected']);
  });

  it('dial the target once per tool call and per Idempotency-Key; a second transfer meanwhile gets 409', async () => {
    const talk = await talking();
    const to = await desk({ does: 'busy' });
    expect(await Promise.all([tool(talk, to), tool(talk, to)])).toMatchObject([
      { outcome: 'busy' },
      { outcome: 'busy' },
    ]);
    expect(await carrier.calls(to)).toHaveLength(1);
    const other = await desk({ does: 'rings' });
    const asked = await Promise.all([1, 2].map(() => transfer(talk, { to: other, kind: 'cold' }, 'k1')));
    expect(new Set(asked.map(({ body }) => body.transfer_id)).size).toBe(1);
    await callAt(carrier, other);
    expect(await carrier.calls(other)).toHaveLength(1);
    expect(await refusal(transfer(talk, { to: freshNumber(), kind: 'cold' }))).toEqual([409, 'ConflictError']);
  });

  it.each<[string, string]>([
    ['an emergency number', '+1911'],
    ['a premium-rate number', '+19005550123'],
    ['directory enquiries', '+44118118'],
    ['an emergency number at a SIP host', 'sip:911@pbx.example'],
    ['a premium-rate number at a SIP host', 'sip:%2B1-900-555-0123;phone-context=+1@pbx.example;user=phone'],
    ["national digits of the caller's country", 'sip:9005550123@pbx.example'],
    ['a host that is neither a trunk nor listed', 'sip:desk@elsewhere.example'],
    ['a host that is part of a listed one', 'sip:desk@example'],
  ])('to %s are rejected with 423 and dial nothing', async (_, to) => {
    const talk = await talking();
    expect(await refusal(transfer(talk, { to, kind: 'cold' }))).toEqual([423, 'SuspensionError']);
    expect(await refusal(tool(talk, to))).toEqual([423, 'SuspensionError']);
    expect([await shown(talk), await carrier.calls(to)]).toEqual([[], []]);
  });

  it("are rejected to a suppressed number (423), without worker support or after the call (409), and of another organization's call (404)", async () => {
    const talk = await talking();
    const to = freshNumber();
    await telephony.request(routes.createSuppressions, {
      caller: customerCaller(talk.line.agent.organizationId),
      body: { phone_numbers: [to] },
    });
    for (const form of [to, `sip:${to}@pbx.example`, `sip:${to.slice(1)};user=phone@pbx.example`]) {
      expect(await refusal(transfer(talk, { to: form, kind: 'cold' }))).toEqual([423, 'SuspensionError']);
      expect(await refusal(tool(talk, form))).toEqual([423, 'SuspensionError']);
    }
    const deaf = await talking([]);
    expect(await refusal(transfer(deaf, { to, kind: 'cold' }))).toEqual([409, 'control_unavailable']);
    const foreign = { ...talk, line: { ...talk.line, agent: under.fakes.addAgent() } };
    expect(await refusal(transfer(foreign, { to, kind: 'cold' }))).toEqual([404, 'NotFoundError']);
    await letGo(talk, 'agent_hung_up');
    expect(await refusal(transfer(talk, { to, kind: 'cold' }))).toEqual([409, 'ConflictError']);
    expect(await shown(talk)).toEqual([]);
  });

  it.each([
    ['+442079460123', [423, 'SuspensionError']],
    ['sip:+442079460123@pbx.example', [423, 'SuspensionError']],
    ['sip:442079460123@pbx.example', [423, 'SuspensionError']],
    ['sip:desk@pbx.example', 'connected'],
    ['sip:201@PBX.EXAMPLE:5062', 'connected'],
  ])("to %s under the organization's list of countries: %j", async (to, expected) => {
    const talk = await talking();
    const { organizationId } = talk.line.agent;
    await setPolicy(telephony, organizationId, {
      destination_countries: { mode: 'enforce', list: 'allow', countries: ['US'] },
    });
    await carrier.at(to, { media: false });
    if (expected === 'connected') expect(await tool(talk, to)).toMatchObject({ outcome: expected });
    else expect(await refusal(tool(talk, to))).toEqual(expected);
  });

  it.each<[string, Partial<CallTransfer>]>([
    ['to is missing', { kind: 'cold' }],
    ['to is not a phone number', { to: 'desk', kind: 'cold' }],
    ['kind is unknown', { to: '+14155550100', kind: 'hot' as 'cold' }],
    ['the announcement has 1,001 characters', { to: '+14155550100', kind: 'warm', announcement: 'x'.repeat(1_001) }],
  ])('are rejected with 400 if %s', async (_, body) => {
    const talk = await talking();
    expect(await refusal(transfer(talk, body as CallTransfer))).toEqual([400, 'BadRequestError']);
  });

  it('move the line into the conference even if the worker keeps its media stream open', async () => {
    const talk = await talking();
    const to = await desk({});
    expect(await tool(talk, to)).toMatchObject({ outcome: 'connected' });
    const line = await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    expect(line.status).toBe('in-progress');
    const leg = await callAt(carrier, to);
    expect(leg.conferences).toEqual(line.conferences);
  });

  it('move the line again if the carrier refuses to because of too many requests', async () => {
    const talk = await talking(['transfer'], { refusedUpdates: 2 });
    const to = await desk({});
    expect(await tool(talk, to)).toMatchObject({ outcome: 'connected' });
    const line = await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    expect(line.status).toBe('in-progress');
    expect((await callAt(carrier, to)).conferences).toEqual(line.conferences);
  });

  it('move the line only once if two instances find it due at the same time; a second move would end both calls', async () => {
    const talk = await talking();
    const to = await desk({});
    expect(await tool(talk, to)).toMatchObject({ outcome: 'connected' });
    // Both instances read the transfer as due, and wait for its job.
    await under.db.transaction(async (tx) => {
      await tx.query({ text: 'select 1 from jobs where call_id = $1 for update', values: [talk.callId] });
      const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => ((await under.db.query({ text })).rows.length >= 2 ? true : undefined));
    });
    await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    await callAt(carrier, to, ({ conferences }) => conferences.length > 0);
  });

  it('let a line that its worker releases while an instance moves it join only after that, so that it is not taken out again', async () => {
    const talk = await talking();
    const to = await desk({});
    expect(await tool(talk, to)).toMatchObject({ outcome: 'connected' });
    const text = 'update call_transfers set joined_at = clock_timestamp() where call_id = $1';
    await under.db.query({ text, values: [talk.callId] });
    const moved = performance.now();
    await letGo(talk);
    await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    expect(performance.now() - moved).toBeGreaterThan(4_000);
  });

  describe('of a call whose worker is lost', () => {
    /** The call ends long before its line is checked the next time, after five minutes. */
    const expectTransferred = async ({ line, callId }: Talk): Promise<void> => {
      const call = await eventually(
        async () => {
          const record = await read(telephony, line.agent, callId);
          return record.status === 'completed' ? record : undefined;
        },
        { timeoutMs: 60_000 },
      );
      expect(call).toMatchObject({ ended_reason: 'transferred', transfers: [{ outcome: 'connected' }] });
    };

    const talkWithSnapshot = async (): Promise<Talk> => {
      const talk = await talking();
      await telephony.request(routes.reportTurns, {
        caller: hostedCaller,
        params: { job_id: talk.job.job_id },
        body: { epoch: talk.job.epoch, first: 0, turns: [], snapshot: { form: 1 } },
      });
      return talk;
    };

    it('while the target rings: connect both parties, and end the call as transferred', async () => {
      const talk = await talkWithSnapshot();
      const to = await desk({ does: 'rings' });
      await transfer(talk, { to, kind: 'cold' });
      const { sid } = await callAt(carrier, to, ({ status }) => status === 'ringing');
      // The stream ends without a report of the worker: the line waits for another worker.
      await carrier.act('stream-ended', talk.sid);
      await callAt(carrier, talk.line.to, ({ tokens }) => tokens.length > 1);
      await carrier.act('answer', sid);
      await expectTransferred(talk);
      const line = await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
      expect(line.status).toBe('in-progress');
    });

    it('after the target has answered: the call ends as transferred once the lease of the worker has expired', async () => {
      const talk = await talkWithSnapshot();
      const to = await desk({});
      expect(await tool(talk, to)).toMatchObject({ outcome: 'connected' });
      await carrier.act('stream-ended', talk.sid);
      await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
      await under.db.query({
        text: `update jobs set state = 'adoptable', epoch = epoch + 1, worker_id = null, lease_expires_at = null, dialer = 'platform',
                 adopt_token_hash = sha256('lost'), adopt_before = now(), lost_at = clock_timestamp() where call_id = $1`,
        values: [talk.callId],
      });
      await under.db.query({
        text: 'update carrier_lines set check_at = now() where call_id = $1',
        values: [talk.callId],
      });
      await expectTransferred(talk);
      expect((await callAt(carrier, talk.line.to)).status).toBe('in-progress');
    });
  });

  it('finish in another instance if the one that started them stops, without dialing the target again', async () => {
    const talk = await talking();
    const to = await desk({ does: 'rings' });
    const dying = await under.start(settings);
    await transfer(talk, { to, kind: 'cold' }, 'k1', dying);
    const { sid } = await callAt(carrier, to, ({ status }) => status === 'ringing');
    await dying.stop();
    await carrier.act('answer', sid);
    await eventually(async () => ((await shown(talk))[0]?.outcome === 'connected' ? true : undefined));
    // The request is repeated at another process.
    expect((await transfer(talk, { to, kind: 'cold' }, 'k1')).body).toMatchObject({ to, outcome: 'connected' });
    expect(await carrier.calls(to)).toHaveLength(1);
    await letGo(talk);
    await callAt(carrier, talk.line.to, ({ conferences }) => conferences.length > 0);
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({ ended_reason: 'transferred' });
  });

  it('are canceled and the target is hung up if the callee hangs up before the target answers', async () => {
    const talk = await talking();
    const to = await desk({ does: 'rings' });
    await transfer(talk, { to, kind: 'cold' });
    await callAt(carrier, to, ({ status }) => status === 'ringing');
    await carrier.act('hang-up', talk.sid);
    await callAt(carrier, to, ({ status }) => status === 'canceled');
    await eventually(async () => (await shown(talk))?.[0]?.outcome === 'canceled' || undefined);
    await report(telephony, talk.job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, talk.job);
    expect(await read(telephony, talk.line.agent, talk.callId)).toMatchObject({ ended_reason: 'callee_hung_up' });
  });
});

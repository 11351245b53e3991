import { routes, type NumberRecord } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, eventually, operatorCaller } from '@parley/testing';
import { addNumber, claim, freshNumber, numbersOf, place, read, report } from './test-caller';
import { CampaignClient } from './test-campaign';
import { hostedGateway, gatewayCaller, ringAt, tellOf } from './gateway-of';
import { messageIn, send, storeAccount } from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { LocalTwilioProtocolServer } from './twilio-server';

const from = '+4930123456';
const account = { accountSid: 'AC-numbers', authToken: 'secret' };

describe('numbers that several organizations claim', () => {
  const carrier = new LocalTwilioProtocolServer();
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    const api = { twilioApiUrl: await carrier.start() };
    telephony = await under.start({ ...api, workerLeaseSeconds: 300 });
  });
  afterAll(async () => {
    await under.stop();
    await carrier.stop();
  });

  const claimed = (agent: AgentForCall, phoneNumber: string, more: object = {}) =>
    telephony.request(routes.createNumber, {
      caller: customerCaller(agent.organizationId),
      body: {
        organization_id: agent.organizationId,
        project_id: agent.projectId,
        phone_number: phoneNumber,
        provider: 'simulator',
        inbound_agent_id: agent.agentId,
        ...more,
      },
    });
  const ids = ({ number_id }: NumberRecord) => ({ params: { number_id } });
  const verified = ({ organizationId }: AgentForCall, number: NumberRecord) =>
    telephony.request(routes.verifyNumber, { caller: customerCaller(organizationId), ...ids(number), body: {} });
  const vouched = (number: NumberRecord) =>
    telephony.request(routes.verifyNumber, { caller: operatorCaller, ...ids(number), body: {} });
  const released = ({ organizationId }: Pick<AgentForCall, 'organizationId'>, number: NumberRecord, ifMatch = '') =>
    telephony.request(routes.releaseNumber, { caller: customerCaller(organizationId), ...ids(number), ifMatch });
  const recordOf = async (agent: AgentForCall): Promise<NumberRecord> => {
    const [number] = await numbersOf(telephony, agent);
    if (number === undefined) throw new Error('the organization has no number');
    return number;
  };
  const audited = async ({ organizationId }: AgentForCall) => {
    const { rows } = await under.db.query<{ payload: string }>({
      text: `select payload from outbox where subject = $1 order by position`,
      values: [`audit.v1.${organizationId}`],
    });
    return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
  };
  /** Removes ids and times, which differ in each response. */
  const shape = ({ body }: { body: NumberRecord }) =>
    JSON.stringify(body, (name, value: unknown) => (/_id$|_at$/.test(name) && typeof value === 'string' ? '-' : value));

  it('creating, listing and verifying a number that another organization has gets the same responses as for a free one', async () => {
    const [holder, stranger] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const [held, free] = [freshNumber(), freshNumber()];
    await claimed(holder, held);
    const taken = await claimed(stranger, held);
    const other = await claimed(stranger, free);
    expect(shape(taken).replace(held, '-')).toBe(shape(other).replace(free, '-'));
    expect(Object.keys(taken).sort()).toEqual(Object.keys(other).sort());
    expect(await numbersOf(telephony, stranger)).toEqual([other.body, taken.body]);
    const refused = (number: NumberRecord) =>
      verified(stranger, number).then(String, (error: unknown) =>
        error instanceof AppError ? [error.status, error.toData()] : error,
      );
    expect(await refused(taken.body)).toEqual(await refused(other.body));
    expect(await refusal(verified(stranger, taken.body))).toEqual([409, 'ConflictError']);
    // An organization may see its own claim.
    expect(await refusal(claimed(stranger, held))).toEqual([409, 'ConflictError']);
  });

  it('a number is readable by its organization only, with its ETag, and not after its release (404)', async () => {
    const agent = under.fakes.addAgent();
    const { body: number, etag } = await claimed(agent, freshNumber());
    const read = (organizationId: string, number_id = number.number_id) =>
      telephony.request(routes.getNumber, { caller: customerCaller(organizationId), params: { number_id } });
    const shown = await read(agent.organizationId);
    expect([shown.body, shown.etag]).toEqual([number, etag]);
    const other = under.fakes.addAgent();
    for (const refused of [read(other.organizationId), read(agent.organizationId, 'num_1')])
      await expect(refused).rejects.toMatchObject({ status: 404, code: 'NotFoundError' });
    await released(agent, number);
    await expect(read(agent.organizationId)).rejects.toMatchObject({ status: 404 });
  });

  it('an incoming call reaches the only claimant, gets 404 with several unverified claimants, and reaches the verified one', async () => {
    const [first, second] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const to = freshNumber();
    const ring = (id: string) => ringAt(telephony, hostedGateway, { to, from, gateway_call_id: `${to}-${id}` });
    await claimed(first, to);
    expect(await ring('alone')).toMatchObject({ action: 'answer' });
    const { body: number } = await claimed(second, to);
    expect(await refusal(ring('contested'))).toEqual([404, 'NotFoundError']);
    const { body } = await vouched(number);
    expect(body).toEqual({ ...number, verified_at: expect.any(String) as string, updated_at: body.updated_at });
    const { call_id: callId } = (await ring('verified')).call;
    const call = await read(telephony, second, callId);
    expect(call).toMatchObject({ organization_id: second.organizationId, agent_id: second.agentId });
  });

  it("a verification removes other organizations' claims; their audit log does not name the verified organization or its key", async () => {
    const [winner, loser] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const to = freshNumber();
    const { body: lost } = await claimed(loser, to);
    const { body: number } = await claimed(winner, to);
    await vouched(number);
    expect(await numbersOf(telephony, loser)).toEqual([]);
    expect(await refusal(released(loser, lost))).toEqual([404, 'NotFoundError']);
    expect(await refusal(claimed(loser, to))).toEqual([409, 'ConflictError']);
    const last = (await audited(loser)).at(-1);
    expect(last).toMatchObject({
      action: 'number.displaced',
      subject: lost.number_id,
      actor_key_id: '',
      detail: { phone_number: to, reason: 'verified_elsewhere' },
    });
    expect(JSON.stringify(last)).not.toContain(winner.organizationId);
    expect((await audited(winner)).map(({ action }) => action)).toEqual(['number.created', 'number.verified']);
    // A second verification changes nothing.
    expect((await vouched(number)).body).toEqual(await recordOf(winner));
  });

  it('of concurrent verifications of the same number by several organizations, one succeeds', async () => {
    const agents = Array.from({ length: 8 }, () => under.fakes.addAgent());
    const to = freshNumber();
    const claims = await Promise.all(agents.map(async (agent) => (await claimed(agent, to)).body));
    const outcomes = await Promise.allSettled(claims.map((number) => vouched(number)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rows } = await under.db.query<{ live: number; verified: number }>({
      text: `select count(*)::int as live, count(verified_at)::int as verified from numbers
             where phone_number = $1 and released_at is null`,
      values: [to],
    });
    expect(rows).toEqual([{ live: 1, verified: 1 }]);
  });

  describe('verification through the stored carrier account', () => {
    const lists = (...numbers: string[]) => ({
      status: 200,
      body: { incoming_phone_numbers: numbers.map((phone_number) => ({ phone_number })) },
    });

    it.each<[string, (to: string) => Parameters<typeof carrier.numbers.set>[1], number | undefined, boolean]>([
      ['succeeds if the account owns the number', (to) => lists(to), undefined, true],
      ['gets 409 if the account owns another number with the same prefix', (to) => lists(`${to}1`), 409, true],
      ['gets 409 if the account owns no number', () => lists(), 409, true],
      [
        'gets 409 if the carrier response has an unknown format',
        () => ({ status: 200, body: { incoming_phone_numbers: 'all' } }),
        409,
        true,
      ],
      ['gets 409 if the carrier answers 401', () => ({ status: 401, body: { code: 20003 } }), 409, true],
      ['gets 502 if the carrier answers 503', () => ({ status: 503, body: {} }), 502, true],
      ['gets 502 if the carrier cuts the connection', () => 'cut', 502, true],
      ['gets 409 if no account is stored', () => lists(), 409, false],
    ])('%s', async (_what, answer, status, stored) => {
      const agent = under.fakes.addAgent();
      const to = freshNumber();
      const { body: number } = await claimed(agent, to, { provider: 'twilio' });
      if (stored) await storeAccount(telephony, agent.organizationId, account);
      carrier.numbers.set(to, answer(to));
      if (status === undefined) {
        expect((await verified(agent, number)).body.verified_at).toEqual(expect.any(String));
        const asked = carrier.lookups.filter(({ number: one }) => one === to);
        expect(asked).toEqual([
          {
            number: to,
            path: '/2010-04-01/Accounts/AC-numbers/IncomingPhoneNumbers.json',
            authorization: `Basic ${Buffer.from('AC-numbers:secret').toString('base64')}`,
          },
        ]);
        return;
      }
      expect((await refusal(verified(agent, number)))[0]).toBe(status);
      expect((await recordOf(agent)).verified_at).toBeNull();
    });

    it('moves a number to the account that owns it now, only if one does; the time of the verification stays', async () => {
      const agent = under.fakes.addAgent();
      const to = freshNumber();
      const stores = async (accountSid: string) =>
        (await storeAccount(telephony, agent.organizationId, { ...account, accountSid })).body.carrier_credential_id;
      const [first, second] = [await stores('AC-first'), await stores('AC-second')];
      const { body: number } = await claimed(agent, to, { provider: 'twilio' });
      expect(number.carrier_credential_id).toBeNull();
      carrier.numbers.set(`AC-first ${to}`, lists(to));
      const { body: verifiedFirst } = await verified(agent, number);
      expect(verifiedFirst.carrier_credential_id).toBe(first);
      // A new token keeps the account, and the account that owns the number already stays without a write.
      await stores('AC-first');
      expect((await verified(agent, number)).body).toEqual(verifiedFirst);
      carrier.numbers.set(`AC-second ${to}`, lists(to));
      expect((await verified(agent, number)).body).toEqual(verifiedFirst);
      carrier.numbers.delete(`AC-first ${to}`);
      const { body: moved } = await verified(agent, number);
      expect(moved).toMatchObject({ carrier_credential_id: second, verified_at: verifiedFirst.verified_at });
      carrier.numbers.delete(`AC-second ${to}`);
      expect(await refusal(verified(agent, number))).toEqual([409, 'ConflictError']);
      expect((await vouched(number)).body).toEqual(moved);
      expect((await audited(agent)).filter(({ action }) => action === 'number.verified')).toHaveLength(2);
    });

    it('gets 409 if several accounts own the number and it has none of them', async () => {
      const agent = under.fakes.addAgent();
      const to = freshNumber();
      for (const accountSid of ['AC-first', 'AC-second'])
        await storeAccount(telephony, agent.organizationId, { ...account, accountSid });
      const { body: number } = await claimed(agent, to, { provider: 'twilio' });
      carrier.numbers.set(to, lists(to));
      expect(await refusal(verified(agent, number))).toEqual([409, 'ConflictError']);
    });

    it('gets 409 for provider sip_trunk; an operator can verify the number', async () => {
      const agent = under.fakes.addAgent();
      const { body: number } = await claimed(agent, freshNumber(), { provider: 'sip_trunk' });
      expect(await refusal(verified(agent, number))).toEqual([409, 'ConflictError']);
      expect((await vouched(number)).body.verified_at).toEqual(expect.any(String));
    });
  });

  describe('when a number is released', () => {
    const withNumber = async () => {
      const agent = under.fakes.addAgent();
      const { body: number } = await claimed(agent, freshNumber());
      return { agent, number };
    };

    it('it is no longer listed, the release is audited, and others can claim it; a stale ETag gets 409', async () => {
      const { agent, number } = await withNumber();
      expect(await refusal(released(under.fakes.addAgent(), number))).toEqual([404, 'NotFoundError']);
      expect(await refusal(released(agent, number, '"stale"'))).toEqual([409, 'ConflictError']);
      await vouched(number);
      const { body } = await released(agent, number, `"${number.number_id}.2"`);
      expect(body).toMatchObject({ number_id: number.number_id });
      expect(await numbersOf(telephony, agent)).toEqual([]);
      expect(await refusal(released(agent, number))).toEqual([404, 'NotFoundError']);
      expect((await audited(agent)).at(-1)).toMatchObject({ action: 'number.released', subject: number.number_id });
      const next = under.fakes.addAgent();
      expect((await claimed(next, number.phone_number)).body).toMatchObject({ verified_at: null });
    });

    it('the release gets 409 during an inbound or outbound call, and succeeds afterwards', async () => {
      const { agent, number } = await withNumber();
      const { organizationId } = agent;
      const line = { to: number.phone_number, from, gateway_call_id: number.number_id };
      const { call_id: callId } = (await ringAt(telephony, gatewayCaller(organizationId), line)).call;
      expect(await refusal(released(agent, number))).toEqual([409, 'ConflictError']);
      await tellOf(telephony, { organizationId, callId }, 1, { type: 'failed', ended_reason: 'busy' });
      const { call } = await place(telephony, agent);
      const [job] = await claim(telephony, 1, 20);
      if (job === undefined) throw new Error('no job was claimed');
      expect(job.call.call_id).toBe(call.call_id);
      await report(telephony, job, 1, 'dialing');
      expect(await refusal(released(agent, number))).toEqual([409, 'ConflictError']);
      await report(telephony, job, 2, { type: 'failed', ended_reason: 'busy' });
      await released(agent, number);
      expect(await numbersOf(telephony, agent)).toEqual([]);
    });

    it('a queued call from it fails as number_not_in_workspace when a worker requests the permit', async () => {
      const { agent, number } = await withNumber();
      const { call } = await place(telephony, agent);
      await released(agent, number);
      const [job] = await claim(telephony, 1, 20);
      if (job === undefined) throw new Error('no job was claimed');
      expect(await refusal(report(telephony, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      expect(await read(telephony, agent, call.call_id)).toMatchObject({
        status: 'failed',
        ended_reason: 'number_not_in_workspace',
        cost: { amount_micros: 0 },
      });
    });

    it('a campaign that calls from it pauses as number_released, and no contact becomes invalid', async () => {
      const { agent, number } = await withNumber();
      const client = new CampaignClient(telephony, agent);
      const contacts = ['+14155550161', '+14155550162'].map((to) => ({ to }));
      const { campaign_id: id } = await client.create({ contacts, calls_per_minute: 10_000 });
      await released(agent, number);
      await client.launch(id);
      const paused = await client.until(id, ({ status }) => status === 'paused');
      expect(paused).toMatchObject({ paused_reason: 'number_released' });
      expect(paused.statistics.outcomes.invalid).toBe(0);
    });

    it('a queued message from it fails as number_not_in_workspace', async () => {
      const agent = under.fakes.addAgent();
      const [phone, to] = [freshNumber(), freshNumber()];
      const { body: number } = await claimed(agent, phone, { provider: 'twilio' });
      await storeAccount(telephony, agent.organizationId, account);
      carrier.answers.set(to, { status: 429, body: {}, headers: { 'Retry-After': '3600' } });
      const { message } = await send(telephony, agent, { body: { to, body: 'late' } });
      const values = [message.message_id];
      await eventually(async () => {
        const text = `select from message_jobs where message_id = $1 and state = 'queued' and attempts = 1`;
        return (await under.db.query({ text, values })).rowCount === 1 ? true : undefined;
      });
      await released(agent, number);
      await under.db.query({ text: 'update message_jobs set due_at = now() where message_id = $1', values });
      const failed = await messageIn(telephony, agent, message.message_id, 'failed');
      expect(failed.error).toMatchObject({ code: 'number_not_in_workspace' });
      expect(carrier.to(to)).toHaveLength(1);
    });
  });

  describe('dialer', () => {
    const jobsOf = async (agent: AgentForCall, caller = customerCaller(agent.organizationId)) =>
      (await claim(telephony, 10, 0, caller)).map(({ call }) => call.call_id);

    it("own: only the organization's workers get the jobs; hosted: only hosted workers do", async () => {
      const [own, hosted] = [under.fakes.addAgent(), under.fakes.addAgent()];
      await addNumber(telephony, own, undefined, { dialer: 'own' });
      await addNumber(telephony, hosted);
      const { call: mine } = await place(telephony, own);
      const { call: theirs } = await place(telephony, hosted);
      expect((await claim(telephony, 10)).map(({ call }) => call.call_id)).toEqual([theirs.call_id]);
      await place(telephony, hosted);
      expect(await jobsOf(hosted)).toEqual([]);
      expect(await jobsOf(under.fakes.addAgent())).toEqual([]);
      expect(await jobsOf(own)).toEqual([mine.call_id]);
      await claim(telephony, 10);
    });

    it('changed to own, applies to new calls; queued calls keep the previous dialer', async () => {
      const agent = under.fakes.addAgent();
      const { body: number } = await claimed(agent, freshNumber());
      const { call: before } = await place(telephony, agent);
      const changed = await telephony.request(routes.updateNumber, {
        caller: customerCaller(agent.organizationId),
        ...ids(number),
        body: { dialer: 'own' },
      });
      expect(changed.body).toMatchObject({ dialer: 'own', inbound_agent_id: agent.agentId });
      expect(await refusal(place(telephony, agent))).toEqual([400, 'realtime_config_not_runnable']);
      // Each claim declares the worker's capabilities.
      expect(await jobsOf(agent)).toEqual([]);
      const { call: after } = await place(telephony, agent);
      expect(await jobsOf(agent)).toEqual([after.call_id]);
      expect((await claim(telephony, 10)).map(({ call }) => call.call_id)).toEqual([before.call_id]);
    });

    it("own: the organization's media gateway answers incoming calls; the hosted one gets 404", async () => {
      const agent = under.fakes.addAgent();
      const to = freshNumber();
      await claimed(agent, to, { dialer: 'own' });
      const ring = (caller: typeof hostedGateway) => ringAt(telephony, caller, { to, from, gateway_call_id: to });
      expect(await refusal(ring(hostedGateway))).toEqual([404, 'NotFoundError']);
      expect(await ring(gatewayCaller(agent.organizationId))).toMatchObject({ action: 'answer' });
    });

    it.each(['hosted', 'own', undefined])('%s in the request is stored; the default is hosted', async (dialer) => {
      const agent = under.fakes.addAgent();
      expect((await claimed(agent, freshNumber(), { dialer })).body.dialer).toBe(dialer ?? 'hosted');
    });

    it('other than hosted or own gets 400', async () => {
      expect(await refusal(claimed(under.fakes.addAgent(), freshNumber(), { dialer: 'theirs' }))).toEqual([
        400,
        'BadRequestError',
      ]);
    });
  });
});

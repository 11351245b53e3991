import { routes, type AnyRoute } from '@parley/contract';
import type { AppError } from '@parley/errors';
import { eventually, operatorCaller, customerCaller } from '@parley/testing';
import { addNumber, cancelCall, freshNumber, hostedCaller, numbersOf, place, read } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('admission of calls', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    // No lease expires in these tests, so that jobs claimed by one test do not reappear in another.
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const rows = async (table: 'calls' | 'jobs' | 'outbox' | 'call_events' | 'idempotency'): Promise<number> => {
    const { rows: found } = await under.db.query<{ n: string }>({ text: `select count(*) as n from ${table}` });
    return Number(found[0]?.n);
  };

  it('100 concurrent requests with one Idempotency-Key on two instances create one call; all return it', async () => {
    const agent = under.fakes.addAgent();
    const from = await addNumber(telephony, agent);
    const before = [await rows('calls'), await rows('jobs'), await rows('outbox')];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => place(n % 2 === 0 ? telephony : second, agent, { key: 'k1' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(99);
    expect(answers[0]?.call).toMatchObject({ from, status: 'queued', direction: 'outbound', to: '+15005550006' });
    const after = [await rows('calls'), await rows('jobs'), await rows('outbox')];
    expect(after).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 1, (before[2] ?? 0) + 2]);
    const { rows: hot } = await under.db.query<{ queued: number }>({
      text: 'select queued from organization_controls where organization_id = $1',
      values: [agent.organizationId],
    });
    expect(hot).toEqual([{ queued: 1 }]);
  });

  it('a repeated Idempotency-Key returns the original call even if the agent is now inactive; another body gets 409', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const first = await place(telephony, agent, { key: 'k2' });
    agent.status = 'inactive';
    const again = await place(second, agent, { key: 'k2' });
    expect([again.replayed, again.call]).toEqual([true, first.call]);
    expect(await refusal(place(telephony, agent, { key: 'k2', to: '+15005550001' }))).toEqual([409, 'ConflictError']);
  });

  it('calls the agents service once per new call, and not for a repeated Idempotency-Key', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const before = under.fakes.asked.agents;
    const first = await place(telephony, agent, { key: 'k3' });
    expect(under.fakes.asked.agents).toBe(before + 1);
    under.fakes.broken.agents = true;
    const again = await place(telephony, agent, { key: 'k3' }).finally(() => (under.fakes.broken.agents = false));
    expect([again.replayed, again.call]).toEqual([true, first.call]);
  });

  it('a created call shows its publication, language, policy verdict and cost, and is read back unchanged', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call, etag } = await place(telephony, agent, {
      body: { metadata: { order: 7 }, variables: { name: 'Ada' } },
    });
    expect(call).toMatchObject({
      publication: { version: 3, publication_id: `pub_${'ab'.repeat(32)}` },
      language: 'en-US',
      metadata: { order: 7 },
      variables: { name: 'Ada' },
      policy: { verdict: 'allowed', rules: [] },
      cost: { currency: 'USD', amount_micros: 0 },
      created_at: call.queued_at,
      dialing_at: null,
    });
    const request = { caller: customerCaller(agent.organizationId), params: { call_id: call.call_id } };
    const response = await telephony.request(routes.getCall, request);
    expect([response.body, response.etag]).toEqual([call, etag]);
  });

  it('an unknown field gets 400 unknown_field', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    await expect(place(telephony, agent, { body: { colour: 'red' } })).rejects.toMatchObject({
      status: 400,
      code: 'BadRequestError',
      fields: { errors: [{ path: 'colour', code: 'unknown_field' }] },
    });
  });

  it('accepts a language of the publication or a regional form of it (de-AT for de); any other gets 400 not_allowed', async () => {
    const publicationSha256 = 'de'.repeat(32);
    const transcriber = { provider: 'simulator', model: 'sim-listen-40' };
    const voice = { provider: 'simulator', model: 'sim-speak-40', voice_id: 'sim-anna' };
    const profiles = ['en-US', 'de'].map((locale) => ({ locale, greeting: null, transcriber, voice }));
    under.fakes.publications.set(publicationSha256, { languages: ['en-US', 'de'], profiles });
    const agent = under.fakes.addAgent({ publicationSha256 });
    await addNumber(telephony, agent);
    for (const language of ['de', 'de-AT', 'en-US']) {
      expect((await place(telephony, agent, { body: { language } })).call.language).toBe(language);
    }
    for (const language of ['en', 'fr', 'zz-QQ']) {
      await expect(place(telephony, agent, { body: { language } })).rejects.toMatchObject({
        code: 'BadRequestError',
        fields: { errors: [{ path: 'language', code: 'not_allowed' }] },
      });
    }
  });

  it.each([
    ['an unknown agent', { agentId: 'agt_00000000000000000000000000' }, {}, [404, 'NotFoundError']],
    ['a malformed agent id', { agentId: 'unknown' }, {}, [404, 'NotFoundError']],
    ['an inactive agent', { status: 'inactive' }, {}, [409, 'ConflictError']],
    ['a suspended agent', { status: 'suspended' }, {}, [423, 'SuspensionError']],
    ['an unknown from number', {}, { from: '+14155559999' }, [400, 'BadRequestError']],
    ['a to number that is not E.164', {}, { to: '0123' }, [400, 'BadRequestError']],
    [
      'an agent whose configuration has blockers',
      { blockers: [{ code: 'voice_id_missing', scope: 'voice', detail: '' }] },
      {},
      [400, 'realtime_config_not_runnable'],
    ],
  ])('rejects %s and writes nothing', async (_, change, body, expected) => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const before = [await rows('calls'), await rows('outbox'), await rows('idempotency')];
    const changed = Object.assign(agent, change);
    expect(await refusal(place(telephony, changed, { key: 'refused', body }))).toEqual(expected);
    expect([await rows('calls'), await rows('outbox'), await rows('idempotency')]).toEqual(before);
  });

  it('the error realtime_config_not_runnable contains reason and blockers', async () => {
    const blockers = [{ code: 'voice_id_missing', scope: 'language:de', detail: 'no voice' }];
    const agent = under.fakes.addAgent({ blockers });
    await addNumber(telephony, agent);
    const error = await place(telephony, agent).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fields: { reason: 'voice_id_missing', blockers } });
  });

  it('after an operator suspends an organization, every instance answers 423 SuspensionError', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    under.fakes.control.suspendedOrganizations.push(agent.organizationId);
    for (const instance of [telephony, second]) {
      const refused = await eventually(async () => {
        const answer = await place(instance, agent).then(
          () => undefined,
          (error: AppError) => error.code,
        );
        return answer;
      });
      expect(refused).toBe('SuspensionError');
    }
    under.fakes.control.suspendedOrganizations.length = 0;
  });

  it("uses the project's only number as from; with several, from is required; another project's number gets 400", async () => {
    const agent = under.fakes.addAgent();
    const neighbour = under.fakes.addAgent({ organizationId: agent.organizationId });
    expect(await refusal(place(telephony, agent))).toEqual([400, 'BadRequestError']);
    const first = await addNumber(telephony, agent);
    expect((await place(telephony, agent)).call.from).toBe(first);
    const foreign = await addNumber(telephony, neighbour);
    expect(await refusal(place(telephony, agent, { body: { from: foreign } }))).toEqual([400, 'BadRequestError']);
    const other = await addNumber(telephony, agent);
    expect(await refusal(place(telephony, agent))).toEqual([400, 'BadRequestError']);
    expect((await place(telephony, agent, { body: { from: other } })).call.from).toBe(other);
  });

  it("a project_id other than the agent's gets 404 and creates no call", async () => {
    const agent = under.fakes.addAgent();
    const neighbour = under.fakes.addAgent({ organizationId: agent.organizationId });
    await addNumber(telephony, agent);
    const before = await rows('calls');
    for (const project_id of [neighbour.projectId, `${agent.projectId}x`])
      expect(await refusal(place(telephony, agent, { body: { project_id } }))).toEqual([404, 'NotFoundError']);
    expect(await rows('calls')).toBe(before);
    const { call } = await place(telephony, agent, { body: { project_id: agent.projectId } });
    expect(call.project_id).toBe(agent.projectId);
  });

  it.each([0, 1, 2])(
    "without from, uses the project's only number, even among 20 of another project, and answers 400 to none or several: %i",
    async (own) => {
      const agent = under.fakes.addAgent();
      const neighbour = under.fakes.addAgent({ organizationId: agent.organizationId });
      for (let number = 0; number < 20; number += 1) await addNumber(telephony, neighbour);
      const numbers = [];
      while (numbers.length < own) numbers.push(await addNumber(telephony, agent));
      if (own === 1) expect((await place(telephony, agent)).call.from).toBe(numbers[0]);
      else expect(await refusal(place(telephony, agent))).toEqual([400, 'BadRequestError']);
    },
  );

  it.each([
    ['+19005550123', 'premium_rate_number'],
    ['+1911', 'emergency_number'],
    ['+44999', 'emergency_number'],
  ])('a call to %s is created as policy_blocked by rule %s, with one event and no job', async (to, rule) => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const jobs = await rows('jobs');
    const { call } = await place(telephony, agent, { to });
    expect(call).toMatchObject({
      status: 'policy_blocked',
      policy: { verdict: 'blocked', rules: [rule] },
      queued_at: null,
    });
    expect(await rows('jobs')).toBe(jobs);
    expect(await eventTypes(telephony, agent.organizationId, call.call_id)).toEqual(['call.created']);
  });

  it('concurrent calls on two instances above the queue cap get 429; rejected calls leave no rows', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    await under.db.query({
      text: 'insert into organization_controls (organization_id, queue_cap) values ($1, 10)',
      values: [agent.organizationId],
    });
    const before = [await rows('calls'), await rows('call_events'), await rows('idempotency')];
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) => place(n % 2 === 0 ? telephony : second, agent, { key: `cap-${n}` })),
    );
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as AppError] : []));
    expect(refused).toHaveLength(50);
    for (const error of refused) {
      expect([error.status, error.code, typeof error.fields['retry_after_seconds']]).toEqual([
        429,
        'outbound_call_queue_full',
        'number',
      ]);
    }
    const after = [await rows('calls'), await rows('call_events'), await rows('idempotency')];
    expect(after).toEqual([(before[0] ?? 0) + 10, (before[1] ?? 0) + 20, (before[2] ?? 0) + 10]);
  });

  it("lists calls newest first in pages, with filters, and never another organization's", async () => {
    const agent = under.fakes.addAgent();
    const stranger = under.fakes.addAgent();
    await addNumber(telephony, agent);
    await addNumber(telephony, stranger);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await place(telephony, agent)).call.call_id);
    await place(telephony, stranger);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(telephony, agent.organizationId, { limit: 2, ...(cursor !== '' && { cursor }) });
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ call_id }) => call_id));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(ids);
    expect((await list(telephony, agent.organizationId, { status: 'completed' })).data).toEqual([]);
    expect((await list(telephony, agent.organizationId, { agent_id: agent.agentId })).data).toHaveLength(5);
    expect(await refusal(list(telephony, agent.organizationId, { cursor: 'nonsense' }))).toEqual([
      400,
      'BadRequestError',
    ]);
  });

  it("reading or canceling another organization's call, or reading its events, transcript or recording, gets 404", async () => {
    const agent = under.fakes.addAgent();
    const stranger = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    for (const callId of [call.call_id, 'call_00000000000000000000000000', 'call_nonsense', "'"]) {
      const request = { caller: customerCaller(stranger.organizationId), params: { call_id: callId } };
      const { listCallEvents, getTranscript, getRecording } = routes;
      for (const route of [routes.getCall, routes.cancelCall, listCallEvents, getTranscript, getRecording]) {
        expect(await refusal(telephony.request<AnyRoute>(route, request))).toEqual([404, 'NotFoundError']);
      }
    }
    const byOperator = { caller: operatorCaller, params: { call_id: call.call_id } };
    expect((await telephony.request(routes.getCall, byOperator)).body).toEqual(call);
  });

  it('of concurrent cancellations on two instances one cancels the queued call and finishes its job', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const answers = await Promise.allSettled(
      [telephony, second, telephony].map((instance) => cancelCall(instance, agent.organizationId, call.call_id)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'canceled', ended_reason: 'canceled' });
    expect(await eventTypes(telephony, agent.organizationId, call.call_id)).toEqual([
      'call.created',
      'call.queued',
      'call.canceled',
    ]);
    const { rows: left } = await under.db.query({
      text: `select c.queued, j.state from organization_controls c join jobs j using (organization_id) where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(left).toEqual([{ queued: 0, state: 'done' }]);
  });

  it('numbers: the same phone number twice gets 409; the inbound agent must belong to the project of the number', async () => {
    const agent = under.fakes.addAgent();
    const stranger = under.fakes.addAgent();
    const phoneNumber = await addNumber(telephony, agent, freshNumber());
    expect(await refusal(addNumber(telephony, agent, phoneNumber))).toEqual([409, 'ConflictError']);
    const numberId = (await numbersOf(telephony, agent))[0]?.number_id ?? '';
    const update = (change: object, { id = numberId, ifMatch = '' } = {}) =>
      telephony.request(routes.updateNumber, {
        caller: customerCaller(agent.organizationId),
        params: { number_id: id },
        body: { inbound_agent_id: null, ...change },
        ifMatch,
      });
    expect((await update({ inbound_agent_id: agent.agentId })).body.inbound_agent_id).toBe(agent.agentId);
    const sibling = under.fakes.addAgent({ organizationId: agent.organizationId });
    expect(await refusal(update({ inbound_agent_id: sibling.agentId }))).toEqual([400, 'BadRequestError']);
    expect(await refusal(update({ inbound_agent_id: stranger.agentId }))).toEqual([404, 'NotFoundError']);
    expect(await refusal(update({ project_id: sibling.projectId }))).toEqual([403, 'ForbiddenError']);
    expect((await update({ project_id: agent.projectId })).body.inbound_agent_id).toBeNull();
    expect(await refusal(update({}, { ifMatch: '"stale"' }))).toEqual([409, 'ConflictError']);
    const { etag } = await update({ inbound_agent_id: agent.agentId });
    expect((await update({}, { ifMatch: etag })).body.inbound_agent_id).toBeNull();
    expect(await refusal(update({ inbound_agent_id: 5 }, { id: 'num_nonsense' }))).toEqual([404, 'NotFoundError']);
    const { rows: acts } = await under.db.query<{ action: string; to: string | null }>({
      text: `select payload::json ->> 'action' as action, payload::json #>> '{detail,inbound_agent_id}' as to
             from outbox where subject = $1 order by position`,
      values: [`audit.v1.${agent.organizationId}`],
    });
    // Refused writes leave no audit events.
    expect(acts).toEqual([
      { action: 'number.created', to: null },
      { action: 'number.changed', to: agent.agentId },
      { action: 'number.changed', to: null },
      { action: 'number.changed', to: agent.agentId },
      { action: 'number.changed', to: null },
    ]);
  });

  it('a customer that sends the id of another organization gets 403', async () => {
    const [agent, stranger] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const { organizationId } = agent;
    const params = { call_id: 'call_00000000000000000000000000' };
    const named = { caller: customerCaller(stranger.organizationId), organizationId, params };
    expect(await refusal(telephony.request(routes.getCall, named))).toEqual([403, 'ForbiddenError']);
  });

  it.each(['hosted', 'hosted_simulation'] as const)(
    'a %s worker gets 403 for reading a call and for listing calls',
    async (kind) => {
      const agent = under.fakes.addAgent();
      await addNumber(telephony, agent);
      const { call } = await place(telephony, agent);
      const caller = { ...hostedCaller, kind };
      const params = { call_id: call.call_id };
      expect(await refusal(telephony.request(routes.getCall, { caller, params }))).toEqual([403, 'ForbiddenError']);
      expect(await refusal(telephony.request(routes.listCalls, { caller }))).toEqual([403, 'ForbiddenError']);
    },
  );
});

async function eventTypes(instance: Instance, organizationId: string, callId: string): Promise<string[]> {
  const request = { caller: customerCaller(organizationId), params: { call_id: callId } };
  const { body } = await instance.request(routes.listCallEvents, request);
  return body.data.map(({ type }) => type);
}

async function list(instance: Instance, organizationId: string, query: Readonly<Record<string, string | number>>) {
  return (await instance.request(routes.listCalls, { caller: customerCaller(organizationId), query })).body;
}

import { createHash } from 'node:crypto';
import { callOfChat, routes, type Demo, type WorkerCapabilities } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import type { WrittenDocument } from '@parley/proto/telephony';
import { documentOf, jsonOf, serviceCaller } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { auditOf } from './audit-of';
import { complete, hostedCaller, read, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const capabilities: WorkerCapabilities = {
  ...hostedCapabilities,
  carriers: ['browser', 'chat', 'simulator'],
  controls: ['chat'],
};
/** 29 minutes at 60,000 micro-USD. */
const hold = 1_740_000;

/** The public demo of an agent, as the gateway forwards the requests of its users and of visitors. */
describe('demos', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    await declareWorkers(under.db, capabilities);
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const params = ({ agentId }: AgentForCall) => ({ agent_id: agentId });
  const open = (agent: AgentForCall, body: object = {}, key = '') =>
    telephony.request(routes.createDemo, {
      caller: customerCaller(agent.organizationId),
      params: params(agent),
      body,
      key,
    });
  const readDemo = async (agent: AgentForCall): Promise<Demo> =>
    (await second.request(routes.getDemo, { caller: customerCaller(agent.organizationId), params: params(agent) }))
      .body;
  const close = (agent: AgentForCall) =>
    telephony.request(routes.deleteDemo, { caller: customerCaller(agent.organizationId), params: params(agent) });
  const opened = async (agent: AgentForCall, body: object = {}): Promise<string> =>
    (await open(agent, body)).body.token ?? '';

  const visiting = { caller: serviceCaller, requestId: 'visit' };
  const bodyOf = <T>({ document }: WrittenDocument) => jsonOf<T>(document);
  const call = async (token: string, address = '192.0.2.1', at = telephony) =>
    bodyOf<{ call_id: string; token: string }>(
      await at.client.startDemoCall({ token, kind: 'voice', address }, visiting),
    );
  const chat = (token: string, address = '192.0.2.1', at = telephony) =>
    at.client.startDemoChat({ token, kind: 'chat', address }, visiting, { deadlineMs: 30_000 });
  const turn = (token: string, chatSessionId: string, body: object, at = telephony) =>
    at.client.takeDemoTurn({ token, chatSessionId, body: documentOf('ChatTurnCreate', body) }, visiting);
  const check = (token: string, kind: string) => telephony.client.checkDemo({ token, kind, address: '' }, visiting);

  const callsOf = async (agent: AgentForCall): Promise<number> => {
    const { rowCount } = await under.db.query({
      text: 'select 1 from calls where organization_id = $1',
      values: [agent.organizationId],
    });
    return rowCount ?? 0;
  };

  /** Conducts a call like a worker until it has ended. */
  const conduct = async (agent: AgentForCall, { call_id, token }: { call_id: string; token: string }, ms: number) => {
    const body = { token, worker_id: 'w1', capabilities };
    const { body: job } = await second.request(routes.adoptWorkerJob, { caller: hostedCaller, body });
    await report(second, job, 1, { type: 'answered' }, { type: 'media_started' });
    await report(second, job, 2, { type: 'ended', ended_reason: 'caller_hung_up', elapsed_ms: ms });
    await complete(second, job, { turns: [] });
    return read(second, agent, call_id);
  };

  it('have a token that is returned once, stored only as a hash, and invalid after a new demo or deletion', async () => {
    const agent = under.fakes.addAgent();
    const before = Date.now();
    const { body: demo } = await open(agent, {}, 'key-1');
    const { token = '', ...rest } = demo;
    expect(token).toMatch(/^dmo_[\w-]{43}$/);
    expect(rest).toEqual({
      agent_id: agent.agentId,
      kinds: ['chat', 'voice'],
      expires_at: expect.any(String) as string,
      daily_limit: 100,
      address_limit: 10,
      spend_cap_micros: 5_000_000,
      spent_micros: 0,
      conversations_today: 0,
      created_at: expect.any(String) as string,
    });
    expect(Math.abs(Date.parse(demo.expires_at) - before - 7 * 86_400_000)).toBeLessThan(60_000);
    expect(await open(agent, {}, 'key-1')).toMatchObject({ body: rest, replayed: true });
    expect((await open(agent, {}, 'key-1')).body.token).toBeUndefined();
    expect(await readDemo(agent)).toEqual(rest);
    const { rows } = await under.db.query<{ row: string; hash: string }>({
      text: `select d::text as row, encode(token_hash, 'hex') as hash from demos d where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(token).digest('hex')]);
    expect(JSON.stringify([rows, await auditOf(under.db, agent.organizationId)])).not.toContain(token.slice(4));
    expect(await auditOf(under.db, agent.organizationId, 'demo.opened')).toMatchObject([
      { subject: agent.agentId, detail: { daily_limit: 100, kinds: ['chat', 'voice'] } },
    ]);
    const other = await opened(agent, { kinds: ['chat'], daily_limit: 3 });
    expect(await refusal(check(token, 'chat'))).toEqual([404, 'NotFoundError']);
    await check(other, 'chat');
    expect(await refusal(check(other, 'voice'))).toEqual([404, 'NotFoundError']);
    expect((await close(agent)).body).toMatchObject({ agent_id: agent.agentId, daily_limit: 3 });
    expect(await refusal(check(other, 'chat'))).toEqual([404, 'NotFoundError']);
    expect(await refusal(close(agent))).toEqual([404, 'NotFoundError']);
    expect(await auditOf(under.db, agent.organizationId, 'demo.closed')).toHaveLength(1);
  });

  it.each([
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: new Date(Date.now() + 400 * 86_400_000).toISOString() }],
    ['spend_cap_micros', { spend_cap_micros: hold - 1 }],
    ['kinds', { kinds: [] }],
    ['address_limit', { address_limit: 0 }],
  ])('are rejected with 400 naming %s for %j', async (path, body) => {
    const refused = open(under.fakes.addAgent(), body);
    await expect(refused).rejects.toMatchObject({ status: 400, fields: { errors: [{ path }] } });
  });

  it("cannot be created for inactive agents (409), suspended agents (423) or another organization's agents (404)", async () => {
    expect(await refusal(open(under.fakes.addAgent({ status: 'inactive' })))).toEqual([409, 'ConflictError']);
    expect(await refusal(open(under.fakes.addAgent({ status: 'suspended' })))).toEqual([423, 'SuspensionError']);
    const agent = under.fakes.addAgent();
    await open(agent);
    const stranger = { ...agent, organizationId: under.fakes.addAgent().organizationId };
    expect(await refusal(open(stranger))).toEqual([404, 'NotFoundError']);
    expect(await refusal(readDemo(stranger))).toEqual([404, 'NotFoundError']);
    expect(await refusal(close(stranger))).toEqual([404, 'NotFoundError']);
  });

  it('with an expired, revoked, unknown or empty token answer 404 without asking the agents service', async () => {
    const agent = under.fakes.addAgent();
    const expired = await opened(agent);
    await under.db.query({
      text: 'update demos set expires_at = clock_timestamp() where organization_id = $1',
      values: [agent.organizationId],
    });
    const revoked = await opened(under.fakes.addAgent());
    await under.db.query({ text: 'delete from demos where token_hash = $1', values: [hashOf(revoked)] });
    const onlyChat = await opened(under.fakes.addAgent(), { kinds: ['chat'] });
    const asked = under.fakes.asked.agents;
    for (const token of [expired, revoked, onlyChat, `dmo_${'x'.repeat(43)}`, '']) {
      expect(await refusal(call(token))).toEqual([404, 'NotFoundError']);
      if (token !== onlyChat) expect(await refusal(chat(token))).toEqual([404, 'NotFoundError']);
    }
    expect(under.fakes.asked.agents).toBe(asked);
    expect(await callsOf(agent)).toBe(0);
  });

  const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

  it('of kind chat accept turns on every replica with their own token only, and show no data of the organization', async () => {
    const agent = under.fakes.addAgent();
    const token = await opened(agent);
    const asked = chat(token);
    const job = await eventually(async () => {
      const body = { kinds: ['call'], capacity: 1, worker_id: 'w1', wait_seconds: 1, capabilities };
      return (await second.request(routes.claimWorkerJobs, { caller: hostedCaller, body })).body.jobs[0];
    });
    await report(second, job, 1, { type: 'answered' }, { type: 'media_started' });
    const perform = async (result: object) => {
      const command = await eventually(async () => {
        const body = { worker_id: 'w1', wait_seconds: 1 };
        return (await second.request(routes.takeCommands, { caller: hostedCaller, body })).body.commands[0];
      });
      await second.request(routes.endCommand, {
        caller: hostedCaller,
        params: { job_id: job.job_id, command_id: command.command_id },
        body: { epoch: job.epoch, outcome: 'performed', result: { tool_calls: [], status: 'open', ...result } },
      });
      return command.fields;
    };
    await perform({ turn_id: 'turn_1', agent_text: 'Good morning.' });
    const session = bodyOf<{ chat_session_id: string }>(await asked);
    expect(session).toEqual({
      chat_session_id: expect.stringMatching(/^chs_/) as string,
      first_message: 'Good morning.',
      status: 'open',
    });
    const id = session.chat_session_id;
    expect(await read(telephony, agent, callOfChat(id))).toMatchObject({ channel: 'chat' });
    const written = turn(token, id, { text: 'What does it cost?' }, second);
    expect(await perform({ turn_id: 'turn_3', agent_text: '30 dollars.', tool_calls: [] })).toEqual({
      text: 'What does it cost?',
    });
    expect(bodyOf(await written)).toEqual({ turn_id: 'turn_3', agent_text: '30 dollars.', status: 'open' });
    await expect(turn(token, id, { text: ' ', more: 1 })).rejects.toMatchObject({
      status: 400,
      fields: { errors: expect.arrayContaining([expect.objectContaining({ path: 'text' })]) as object },
    });
    const other = await opened(under.fakes.addAgent());
    expect(await refusal(turn(other, id, { text: 'Hello' }))).toEqual([404, 'NotFoundError']);
    expect(
      await refusal(telephony.client.endDemoChat({ token: other, chatSessionId: id, body: undefined }, visiting)),
    ).toEqual([404, 'NotFoundError']);
    await close(agent);
    expect(await refusal(turn(token, id, { text: 'Hello' }))).toEqual([404, 'NotFoundError']);
  });

  it('enforce daily_limit and address_limit over two replicas with 429, and reset them the next day', async () => {
    const agent = under.fakes.addAgent();
    const token = await opened(agent, { daily_limit: 3, address_limit: 2, spend_cap_micros: 100 * hold });
    const tried = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        call(token, '192.0.2.1', n % 2 === 0 ? telephony : second).then(
          () => 'started',
          (error: { code: string; fields: { retry_after_seconds: number } }) => [
            error.code,
            error.fields.retry_after_seconds > 0 && error.fields.retry_after_seconds <= 86_400,
          ],
        ),
      ),
    );
    expect(tried.filter((outcome) => outcome === 'started')).toHaveLength(2);
    expect(tried.filter((outcome) => outcome !== 'started')).toEqual(Array(4).fill(['rate_limited', true]));
    await call(token, '192.0.2.2');
    expect(await refusal(call(token, '192.0.2.3', second))).toEqual([429, 'rate_limited']);
    expect(await callsOf(agent)).toBe(3);
    expect(await readDemo(agent)).toMatchObject({ conversations_today: 3, spent_micros: 3 * hold });
    // The next day the counts begin again, and the addresses of the day before are deleted.
    const yesterday = async (table: string) => {
      await under.db.query({
        text: `update ${table} set day = day - 1 where organization_id = $1`,
        values: [agent.organizationId],
      });
    };
    await yesterday('demos');
    await yesterday('demo_addresses');
    expect(await readDemo(agent)).toMatchObject({ conversations_today: 0 });
    await call(token, '192.0.2.3');
    const { rows } = await under.db.query<{ conversations: number }>({
      text: 'select conversations from demo_addresses where organization_id = $1',
      values: [agent.organizationId],
    });
    expect(rows).toEqual([{ conversations: 1 }]);
  });

  it('never cost more than spend_cap_micros, in which each running conversation reserves its maximum cost', async () => {
    const agent = under.fakes.addAgent();
    const token = await opened(agent, { spend_cap_micros: hold });
    const first = await call(token);
    expect(await refusal(call(token))).toEqual([429, 'rate_limited']);
    const { cost } = await conduct(agent, first, 60_000);
    expect(cost.amount_micros).toBeGreaterThan(0);
    expect(await readDemo(agent)).toMatchObject({ spent_micros: cost.amount_micros });
    // The rest of the cap no longer covers a whole conversation, which only a higher cap changes.
    expect(await refusal(call(token))).toEqual([409, 'ConflictError']);
    expect(await callsOf(agent)).toBe(1);
    const wider = await opened(agent, { spend_cap_micros: 2 * hold });
    expect(await readDemo(agent)).toMatchObject({ spent_micros: 0 });
    const second = await conduct(agent, await call(wider), 120_000);
    await call(wider);
    expect(await readDemo(agent)).toMatchObject({ spent_micros: second.cost.amount_micros + hold });
    const { rows } = await under.db.query<{ spent: string }>({
      text: 'select spent_micros as spent from demos where organization_id = $1',
      values: [agent.organizationId],
    });
    expect(rows).toEqual([{ spent: String(second.cost.amount_micros) }]);
  });

  it('answer the same 409 if the agent is inactive or suspended, its organization is suspended, or the wallet is empty', async () => {
    const { fakes } = under;
    const unavailable = async (agent: AgentForCall, change: () => void | Promise<string>) => {
      const first = await opened(agent);
      const token = (await change()) ?? first;
      expect(await refusal(chat(token))).toEqual([409, 'ConflictError']);
      expect(await refusal(call(token))).toEqual([409, 'ConflictError']);
      expect(await callsOf(agent)).toBe(0);
    };
    const inactive = fakes.addAgent();
    await unavailable(inactive, () => void (inactive.status = 'inactive'));
    const suspended = fakes.addAgent();
    await unavailable(suspended, () => void (suspended.status = 'suspended'));
    const poor = fakes.addAgent();
    fakes.prepaid.add(poor.organizationId);
    await unavailable(poor, () => undefined);
    const held = fakes.addAgent();
    await unavailable(held, async () => {
      fakes.control.suspendedOrganizations.push(held.organizationId);
      // Until the suspension has arrived, every opening replaces the link.
      let link = await opened(held);
      await eventually(async () => {
        const next = await opened(held).catch(() => undefined);
        link = next ?? link;
        return next === undefined || undefined;
      });
      return link;
    });
    fakes.control.suspendedOrganizations.length = 0;
    const removed = fakes.addAgent();
    const link = await opened(removed);
    fakes.removeAgent(removed.agentId);
    expect(await refusal(call(link))).toEqual([404, 'NotFoundError']);
  });
});

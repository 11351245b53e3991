import { routes, type CallRecord, type WorkerCapabilities } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, newId, type Caller } from '@parley/runtime';
import { customerCaller, eventually, operatorCaller } from '@parley/testing';
import { cancelCall, claim, complete, heartbeat, hostedCaller, read, report, simulationCaller } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { setControls, setPolicy, topUpWallet, walletOf } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const withBrowser: WorkerCapabilities = { ...hostedCapabilities, carriers: ['browser', 'simulator'] };
/** 29 minutes at 60,000 micro-USD. */
const hold = 1_740_000;

describe('test calls', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    await declareWorkers(under.db, withBrowser);
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const start = (
    agent: AgentForCall,
    { body = {}, key = '', at = telephony, caller = customerCaller(agent.organizationId) }: Partial<Started> = {},
  ) => at.request(routes.createTestCall, { caller, params: { agent_id: agent.agentId }, body, key });

  interface Started {
    readonly body: object;
    readonly key: string;
    readonly at: Instance;
    readonly caller: Caller;
  }

  const started = async (agent: AgentForCall): Promise<{ callId: string; token: string }> => {
    const { call_id: callId, token = '' } = (await start(agent)).body;
    return { callId, token };
  };

  const adopt = (
    token: string,
    { at = second, caller = hostedCaller, worker = 'w1', capabilities = withBrowser }: Partial<Adopting> = {},
  ) => at.request(routes.adoptWorkerJob, { caller, body: { token, worker_id: worker, capabilities } });

  interface Adopting {
    readonly at: Instance;
    readonly caller: Caller;
    readonly worker: string;
    readonly capabilities: WorkerCapabilities;
  }

  const blockersOf = async (promise: Promise<unknown>): Promise<unknown> => {
    try {
      await promise;
    } catch (error) {
      if (error instanceof AppError && error.code === 'realtime_config_not_runnable') return error.fields?.['blockers'];
      throw error;
    }
    throw new Error('nothing was refused');
  };

  const eventTypes = async (callId: string): Promise<string[]> => {
    const { rows } = await under.db.query<{ type: string }>({
      text: 'select type from call_events where call_id = $1 order by resource_seq',
      values: [callId],
    });
    return rows.map(({ type }) => type);
  };

  const over = (agent: AgentForCall, callId: string): Promise<CallRecord> =>
    eventually(async () => {
      const call = await read(telephony, agent, callId);
      return call.status === 'dialing' ? undefined : call;
    });

  const tokenEnds = (callId: string, interval: string) =>
    under.db.query({
      text: 'update jobs set adopt_before = clock_timestamp() + $2::interval where call_id = $1',
      values: [callId, interval],
    });

  it('are rejected with 400 if no worker can produce audio for the simulated transcriber and voice of the agent', async () => {
    const agent = under.fakes.addAgent();
    const { stt, llm, tts } = hostedCapabilities.providers;
    const text = (names: readonly string[]): string[] => names.filter((name) => name !== 'offline');
    await under.db.query({ text: 'delete from worker_capabilities' });
    await declareWorkers(under.db, { ...withBrowser, providers: { stt: text(stt), llm, tts: text(tts) } });
    // A process caches declarations for some seconds.
    const fresh = await under.start();
    try {
      expect(await blockersOf(start(agent, { at: fresh }))).toMatchObject([
        { code: 'provider_unavailable', scope: 'provider:stt' },
        { code: 'provider_unavailable', scope: 'provider:tts' },
      ]);
    } finally {
      await fresh.stop();
      await declareWorkers(under.db, withBrowser);
    }
  });

  it('are created for a browser, adopted with their token at another replica, charged and completed', async () => {
    const agent = under.fakes.addAgent();
    under.fakes.prepaid.add(agent.organizationId);
    await topUpWallet(telephony, agent.organizationId, { amount_micros: 2 * hold });
    const before = Date.now();
    const { body } = await start(agent, { body: { language: 'en-US', variables: { name: 'Ada' } } });
    expect(body).toEqual({
      call_id: expect.stringMatching(/^call_/) as string,
      websocket_url: 'wss://media.example/lines/browser',
      token: expect.stringMatching(/^[\w-]{108}$/) as string,
      expires_at: expect.any(String) as string,
      audio: { encoding: 'pcm_s16le', sample_rate: 16_000, channels: 1 },
    });
    const lastsMs = Date.parse(body.expires_at) - before;
    expect(lastsMs).toBeGreaterThan(55_000);
    expect(lastsMs).toBeLessThan(65_000);
    const record = await read(telephony, agent, body.call_id);
    expect(record).toMatchObject({
      channel: 'browser',
      direction: 'inbound',
      from: null,
      to: null,
      status: 'dialing',
      carrier: null,
      simulated: false,
      components_simulated: ['stt', 'llm', 'tts'],
      language: 'en-US',
      variables: { name: 'Ada' },
      publication: { version: 3 },
    });
    expect(await walletOf(telephony, agent.organizationId)).toEqual([2 * hold, hold, hold]);
    const { body: job } = await adopt(body.token ?? '');
    expect(job).toMatchObject({ kind: 'call', epoch: 1, lease_seconds: 300, call: record });
    expect(job.runtime_configuration).toMatchObject({
      publication: { first_message: 'Hello!' },
      effective: { first_speaker: 'agent', navigation: { active: false } },
      variables: { name: 'Ada' },
    });
    expect(await heartbeat(telephony, job)).toMatchObject({ state: 'held' });
    expect(await report(telephony, job, 1, 'dialing', 'answered', 'media_started')).toMatchObject({
      call_status: 'answered',
    });
    await report(second, job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, job, { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] });
    const call = await read(second, agent, body.call_id);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'caller_hung_up' });
    expect(await eventTypes(body.call_id)).toEqual([
      'call.created',
      'call.answered',
      'media.started',
      'call.ended',
      'call.completed',
      'call.transcript.ready',
    ]);
    const left = 2 * hold - call.cost.amount_micros;
    expect(await walletOf(telephony, agent.organizationId)).toEqual([left, 0, left]);
  });

  it('cannot be claimed from the job queue', async () => {
    await started(under.fakes.addAgent());
    expect(await claim(telephony, 100, 0, hostedCaller, withBrowser)).toEqual([]);
  });

  it('are adopted by exactly one of 20 concurrent workers on two replicas', async () => {
    const { callId, token } = await started(under.fakes.addAgent());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, nth) => adopt(token, { at: nth % 2 ? telephony : second, worker: `w${nth}` })),
    );
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ConflictError' });
    }
    const { rows } = await under.db.query({
      text: 'select state, epoch, dialer from jobs where call_id = $1',
      values: [callId],
    });
    expect(rows).toEqual([{ state: 'leased', epoch: '1', dialer: 'hosted' }]);
  });

  it('a worker that repeats adopt gets the same response until its first report; any other worker gets 409', async () => {
    const agent = under.fakes.addAgent();
    const { token } = await started(agent);
    const first = (await adopt(token)).body;
    expect((await adopt(token, { at: telephony })).body).toEqual(first);
    await expect(adopt(token, { worker: 'w2' })).rejects.toMatchObject({ code: 'ConflictError' });
    // A worker of the organization with the same name as the hosted one.
    const own = customerCaller(agent.organizationId);
    await expect(adopt(token, { caller: own })).rejects.toMatchObject({ code: 'ConflictError' });
    await report(telephony, first, 1, 'dialing', 'answered');
    await expect(adopt(token)).rejects.toMatchObject({ code: 'ConflictError' });
  });

  it('are adopted once by a worker that sends 10 concurrent requests', async () => {
    const { token } = await started(under.fakes.addAgent());
    const asked = Array.from({ length: 10 }, (_, nth) => adopt(token, { at: nth % 2 ? telephony : second }));
    const epochs = (await Promise.all(asked)).map(({ body }) => body.epoch);
    expect(epochs).toEqual(Array(10).fill(1));
  });

  it('store no token in jobs, idempotency rows, events or calls', async () => {
    const agent = under.fakes.addAgent();
    const { body } = await start(agent, { key: 'kept' });
    const { rows } = await under.db.query<{ dump: string }>({
      text: `select (select string_agg(j::text, ' ') from jobs j) || (select string_agg(i.body::text, ' ') from idempotency i)
             || (select string_agg(o.payload::text, ' ') from outbox o) || (select string_agg(c::text, ' ') from calls c) as dump`,
    });
    expect(rows[0]?.dump).toContain(body.call_id);
    expect(rows[0]?.dump).not.toContain(body.token);
  });

  it.each<[string, (agent: AgentForCall, token: string, callId: string) => Promise<unknown>, [number, string]]>([
    ['an unknown token', (_, token) => adopt(`${token}x`), [404, 'NotFoundError']],
    [
      'another worker with a used token',
      async (_, token) => {
        await adopt(token);
        return adopt(token, { worker: 'w2' });
      },
      [409, 'ConflictError'],
    ],
    [
      'an expired token',
      async (_, token, callId) => {
        await tokenEnds(callId, '-1 milliseconds');
        return adopt(token);
      },
      [404, 'NotFoundError'],
    ],
    [
      'the token of a canceled call',
      async ({ organizationId }, token, callId) => {
        await cancelCall(telephony, organizationId, callId);
        return adopt(token);
      },
      [404, 'NotFoundError'],
    ],
    [
      "another organization's worker",
      (_, token) => adopt(token, { caller: customerCaller(newId('org')) }),
      [404, 'NotFoundError'],
    ],
    [
      'a worker without the required capabilities',
      (_, token) => adopt(token, { capabilities: hostedCapabilities }),
      [409, 'ConflictError'],
    ],
    ['a simulation worker', (_, token) => adopt(token, { caller: simulationCaller }), [403, 'ForbiddenError']],
    ['an empty token', () => adopt(''), [400, 'BadRequestError']],
    ['a token of 128 letters', () => adopt('x'.repeat(128)), [404, 'NotFoundError']],
    ['a token of 129 letters', () => adopt('x'.repeat(129)), [400, 'BadRequestError']],
  ])('cannot be adopted with or by %s', async (_, attempt, expected) => {
    const agent = under.fakes.addAgent();
    const { callId, token } = await started(agent);
    expect(await refusal(attempt(agent, token, callId))).toEqual(expected);
  });

  it('keep their token valid after an adoption failed because of capabilities or because agents was unavailable', async () => {
    const { token } = await started(under.fakes.addAgent());
    expect(await refusal(adopt(token, { capabilities: hostedCapabilities }))).toEqual([409, 'ConflictError']);
    under.fakes.broken.agents = true;
    expect(await refusal(adopt(token).finally(() => (under.fakes.broken.agents = false)))).toEqual([
      503,
      'internal_error',
    ]);
    expect((await adopt(token)).body.epoch).toBe(1);
  });

  it("can be adopted by the organization's own worker", async () => {
    const agent = under.fakes.addAgent();
    const { token } = await started(agent);
    const { body } = await adopt(token, { caller: customerCaller(agent.organizationId) });
    expect(body.call.organization_id).toBe(agent.organizationId);
  });

  it('fail as capacity_unavailable if no worker connects before the token expires, and release their hold', async () => {
    const agent = under.fakes.addAgent();
    under.fakes.prepaid.add(agent.organizationId);
    await topUpWallet(telephony, agent.organizationId, { amount_micros: hold });
    const { callId } = await started(agent);
    expect(await walletOf(telephony, agent.organizationId)).toEqual([hold, hold, 0]);
    await tokenEnds(callId, '10 milliseconds');
    expect(await over(agent, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'capacity_unavailable',
      reason_detail: 'not_connected',
      cost: { amount_micros: 0 },
    });
    expect(await walletOf(telephony, agent.organizationId)).toEqual([hold, 0, hold]);
    expect(await eventTypes(callId)).toEqual(['call.created', 'call.failed']);
  });

  it('are canceled immediately while no worker is connected, and release their hold', async () => {
    const agent = under.fakes.addAgent();
    under.fakes.prepaid.add(agent.organizationId);
    await topUpWallet(telephony, agent.organizationId, { amount_micros: hold });
    const { callId } = await started(agent);
    expect(await cancelCall(second, agent.organizationId, callId)).toMatchObject({ status: 'canceled' });
    expect(await walletOf(telephony, agent.organizationId)).toEqual([hold, 0, hold]);
  });

  it.each<[string, (agent: AgentForCall) => void, string]>([
    ['the start of maintenance', () => (under.fakes.control.maintenance = true), 'platform_maintenance'],
    [
      'the suspension of its organization',
      ({ organizationId }) => under.fakes.control.suspendedOrganizations.push(organizationId),
      'suspended',
    ],
    ['the suspension of its agent', ({ agentId }) => under.fakes.control.suspendedAgents.push(agentId), 'suspended'],
    ['the deactivation of its agent', (agent) => (agent.status = 'inactive'), 'agent_inactive'],
    [
      'the loss of its publication',
      (agent) => under.fakes.lost.add(agent.publicationSha256),
      'configuration_unavailable',
    ],
  ])('fail when they are adopted after %s', async (_, happens, reason) => {
    // A publication that was not read before, because publications are cached.
    const agent = under.fakes.addAgent({ publicationSha256: newId('org').padEnd(64, '0') });
    const { callId, token } = await started(agent);
    const fresh = await under.start({ workerLeaseSeconds: 300 });
    happens(agent);
    under.fakes.control.epoch += 1;
    try {
      await eventually(async () => {
        const outcome = await refusal(adopt(token, { at: fresh }));
        return outcome[0] === 409 || outcome[0] === 404 ? true : undefined;
      });
      expect(await over(agent, callId)).toMatchObject({ status: 'failed', ended_reason: reason });
    } finally {
      under.fakes.control.maintenance = false;
      under.fakes.control.suspendedOrganizations.length = 0;
      under.fakes.control.suspendedAgents.length = 0;
      under.fakes.control.epoch += 1;
      await fresh.stop();
    }
  });

  it('are created once per Idempotency-Key on two replicas; only the first response contains the token', async () => {
    const agent = under.fakes.addAgent();
    const answers = await Promise.all([telephony, second, telephony].map((at) => start(agent, { key: 'once', at })));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.token !== undefined)).toHaveLength(1);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(2);
    expect(await refusal(start(agent, { key: 'once', body: { variables: { a: 1 } } }))).toEqual([409, 'ConflictError']);
  });

  it("can be created by an operator for any agent; another organization's or an unknown agent gets 404", async () => {
    const agent = under.fakes.addAgent();
    expect(await refusal(start(agent, { caller: customerCaller(newId('org')) }))).toEqual([404, 'NotFoundError']);
    expect(await refusal(start({ ...agent, agentId: 'nothing' }))).toEqual([404, 'NotFoundError']);
    const { body } = await start(agent, { caller: operatorCaller });
    expect((await read(telephony, agent, body.call_id)).organization_id).toBe(agent.organizationId);
  });

  it.each<[object, string]>([
    [{ language: 'fr' }, 'a language that the publication does not have'],
    [{ language: 'e' }, 'a malformed language'],
    [{ to: '+15005550006' }, 'an unknown field'],
    [{ variables: [] }, 'variables that are not an object'],
  ])('are rejected with 400 for %j: %s', async (body) => {
    expect(await refusal(start(under.fakes.addAgent(), { body }))).toEqual([400, 'BadRequestError']);
  });

  it.each([
    ['en-US', 'the exact language'],
    ['EN_us', 'another case and separator'],
  ])('accept language %s: %s', async (language) => {
    expect((await start(under.fakes.addAgent(), { body: { language } })).body.call_id).toMatch(/^call_/);
  });

  it('are rejected for a suspended agent (423) and an inactive agent (409)', async () => {
    expect(await refusal(start(under.fakes.addAgent({ status: 'suspended' })))).toEqual([423, 'SuspensionError']);
    expect(await refusal(start(under.fakes.addAgent({ status: 'inactive' })))).toEqual([409, 'ConflictError']);
  });

  it.each([
    ['live_calls', { live_calls: 1 }],
    ['calls_per_minute', { calls_per_minute: 1 }],
    ['calls_per_hour', { calls_per_hour: 1 }],
    ['daily_spend_micros', { daily_spend_micros: 2 * hold - 1 }],
  ])('count against %s: above it they get 423', async (_, controls) => {
    const agent = under.fakes.addAgent();
    await start(agent);
    await setControls(telephony, agent.organizationId, controls);
    expect(await refusal(start(agent))).toEqual([423, 'SuspensionError']);
    expect((await start(under.fakes.addAgent())).body.call_id).toMatch(/^call_/);
  });

  it.each([
    [hold, 'goes'],
    [hold - 1, 'is refused'],
  ])('need the maximum cost in the wallet, else 402: with %d one %s', async (amount, what) => {
    const agent = under.fakes.addAgent();
    under.fakes.prepaid.add(agent.organizationId);
    await topUpWallet(telephony, agent.organizationId, { amount_micros: amount });
    if (what === 'goes') expect((await start(agent)).body.call_id).toMatch(/^call_/);
    else expect(await refusal(start(agent))).toEqual([402, 'InsufficientBalanceError']);
  });

  it('are not subject to the outbound policy', async () => {
    const agent = under.fakes.addAgent();
    await setPolicy(telephony, agent.organizationId, { consent_required: { mode: 'enforce', action: 'block' } });
    expect((await start(agent)).body.call_id).toMatch(/^call_/);
  });

  it('are rejected with blockers without a worker that supports browsers, without a media URL, or with an unavailable tool', async () => {
    const carrier = { code: 'carrier_unavailable', scope: 'carrier', detail: expect.any(String) as string };
    const address = { code: 'address_missing', scope: 'address', detail: expect.any(String) as string };
    const tool = { code: 'tool_unavailable', scope: 'tools', detail: expect.any(String) as string };
    const nowhere = await under.start({ mediaPublicUrl: undefined });
    expect(await blockersOf(start(under.fakes.addAgent(), { at: nowhere }))).toEqual([address]);
    const tuning = documentOf('CallTuning', { tools: [{ type: 'builtin', name: 'fly' }], recording_enabled: false });
    expect(await blockersOf(start(under.fakes.addAgent({ tuning })))).toEqual([tool]);
    await under.db.query({ text: 'delete from worker_capabilities' });
    await declareWorkers(under.db);
    const fresh = await under.start();
    expect(await blockersOf(start(under.fakes.addAgent(), { at: fresh }))).toEqual([carrier]);
    const own = under.fakes.addAgent();
    await declareWorkers(under.db, withBrowser, own.organizationId);
    expect((await start(own, { at: fresh })).body.call_id).toMatch(/^call_/);
    await declareWorkers(under.db, withBrowser);
  });
});

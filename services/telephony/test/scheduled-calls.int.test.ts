import { routes, type CallRecord, type CallStatus } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, newId } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { takeDue } from '../src/intake/admission/due-calls.cross-tenant.sql';
import { addNumber, cancelCall, freshNumber, place, read, resolveReview } from './test-caller';
import { gatewayCaller, ringAt } from './gateway-of';
import { setControls, setPolicy, suppress, topUpWallet, walletOf } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const hold = 1_740_000;

describe('scheduled calls', () => {
  let under: UnderTest;
  let instances: Instance[];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start({ workerLeaseSeconds: 300 }), await under.start({ workerLeaseSeconds: 300 })];
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % 2] as Instance;
  const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await under.db.query<Row & object>({ text, values })).rows;

  async function prepared(change: Partial<AgentForCall> = {}): Promise<AgentForCall> {
    const agent = under.fakes.addAgent(change);
    // Nothing claims its jobs, because no worker of the organization is running.
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    return agent;
  }
  const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const book = async (agent: AgentForCall, body: object = {}, to?: string): Promise<CallRecord> =>
    (await place(at(1), agent, { ...(to !== undefined && { to }), body: { scheduled_at: inMs(3_600_000), ...body } }))
      .call;
  /** Makes a scheduled call due. */
  const comeDue = (...calls: CallRecord[]) =>
    query(
      'update scheduled_calls set check_at = now() where call_id = any($1)',
      calls.map(({ call_id }) => call_id),
    );
  const becomes = (agent: AgentForCall, { call_id }: CallRecord, status: CallStatus): Promise<CallRecord> =>
    eventually(async () => {
      const call = await read(at(0), agent, call_id);
      return call.status === status ? call : undefined;
    });
  const typesOf = async ({ call_id }: CallRecord): Promise<string[]> =>
    (
      await query<{ type: string }>('select type from call_events where call_id = $1 order by resource_seq', call_id)
    ).map(({ type }) => type);
  const taken = async ({ organizationId }: AgentForCall) => {
    const [row] = await query<Record<string, number>>(
      `select (select count(*)::int from jobs where organization_id = $1) as jobs,
         (select count(*)::int from scheduled_calls where organization_id = $1) as booked,
         coalesce((select live from organization_controls where organization_id = $1), 0) as live,
         coalesce((select queued from organization_controls where organization_id = $1), 0) as queued,
         coalesce((select spend_micros from organization_controls where organization_id = $1), 0)::int as spend`,
      organizationId,
    );
    return row;
  };
  const nothing = { jobs: 0, live: 0, queued: 0, spend: 0 };
  const waitsSince = (call: CallRecord, minutes: number) =>
    query(
      'update scheduled_calls set waiting_since = now() - make_interval(mins => $2) where call_id = $1',
      call.call_id,
      minutes,
    );

  it('a scheduled call has an event, but no job, hold or publication, and is listed by its status', async () => {
    const agent = await prepared();
    const call = await book(agent, { variables: { name: 'Ada' }, metadata: { order: 7 } });
    expect(call).toMatchObject({
      status: 'scheduled',
      publication: null,
      queued_at: null,
      variables: { name: 'Ada' },
      metadata: { order: 7 },
    });
    expect(await typesOf(call)).toEqual(['call.created']);
    expect(await taken(agent)).toEqual({ ...nothing, booked: 1 });
    const { organizationId } = agent;
    const listed = (status: CallStatus) =>
      at(0).request(routes.listCalls, { caller: customerCaller(organizationId), query: { status } });
    expect((await listed('scheduled')).body.data).toEqual([call]);
    expect((await listed('queued')).body.data).toEqual([]);
  });

  it.each([
    ['61 seconds ago', -61_000],
    ['366 days ahead', 366 * 86_400_000],
  ])('rejects scheduled_at %s with 400', async (_, ms) => {
    const agent = await prepared();
    const placing = place(at(0), agent, { body: { scheduled_at: inMs(ms) } });
    await expect(placing).rejects.toMatchObject({
      code: 'BadRequestError',
      fields: { errors: [{ path: 'scheduled_at' }] },
    });
  });

  it.each([
    ['+1911', 'emergency_number'],
    ['+19005550123', 'premium_rate_number'],
  ])('a scheduled call to %s, which is never dialed, is blocked at once (%s)', async (to, rule) => {
    const agent = await prepared();
    const { call } = await place(at(0), agent, { to, body: { scheduled_at: inMs(60_000) } });
    expect(call).toMatchObject({ status: 'policy_blocked', policy: { verdict: 'blocked', rules: [rule] } });
    expect(await taken(agent)).toMatchObject({ ...nothing, booked: 0 });
  });

  it('a number that became an emergency number since is blocked when the call is due', async () => {
    const agent = await prepared();
    const call = await book(agent);
    await query(`update calls set to_number = '+1911' where call_id = $1`, call.call_id);
    await comeDue(call);
    await becomes(agent, call, 'policy_blocked');
  });

  it('queues a call immediately if scheduled_at is 30 seconds ago', async () => {
    const agent = await prepared();
    expect((await place(at(0), agent, { body: { scheduled_at: inMs(-30_000) } })).call.status).toBe('queued');
  });

  it('due calls are queued once, with two replicas running', async () => {
    const agent = await prepared();
    const calls = await Promise.all(Array.from({ length: 20 }, () => book(agent)));
    await comeDue(...calls);
    for (const call of calls) await becomes(agent, call, 'queued');
    for (const call of calls) expect(await typesOf(call)).toEqual(['call.created', 'call.queued']);
    expect(await taken(agent)).toEqual({ jobs: 20, live: 20, queued: 20, spend: 20 * hold, booked: 0 });
  });

  it('a call is queued at scheduled_at and not before', async () => {
    const agent = await prepared();
    const call = await book(agent, { scheduled_at: inMs(1_500) });
    const queued = await becomes(agent, call, 'queued');
    expect(Date.parse(queued.queued_at ?? '')).toBeGreaterThanOrEqual(Date.parse(call.scheduled_at ?? ''));
  });

  it('a call uses the publication, recording setting, price and default variables at the time when it is due', async () => {
    const agent = await prepared();
    const call = await book(agent, { variables: { name: 'Ada' } });
    Object.assign(agent, {
      publicationVersion: 4,
      publicationSha256: 'cd'.repeat(32),
      costMicrosPerMinute: '30000',
      recordingEnabled: true,
      variables: documentOf('VariablesConfig', { variables: [{ name: 'city', type: 'string', default: 'Graz' }] }),
    });
    await comeDue(call);
    expect(await becomes(agent, call, 'queued')).toMatchObject({
      publication: { version: 4, publication_id: `pub_${'cd'.repeat(32)}` },
      recording_enabled: true,
      variables: { name: 'Ada', city: 'Graz' },
    });
    expect((await taken(agent))?.['spend']).toBe(hold / 2);
  });

  it('a due call whose process crashed is queued by another process', async () => {
    const agent = await prepared();
    const booked = await book(agent);
    // In one transaction, so that the process that crashes is the one that handles the call.
    await under.db.transaction(async (tx) => {
      await tx.query({
        text: 'update scheduled_calls set check_at = now() where call_id = $1',
        values: [booked.call_id],
      });
      expect((await takeDue(tx, { after: '', busy: [], seconds: 1 }))?.callId).toBe(booked.call_id);
    });
    await becomes(agent, booked, 'queued');
    expect(await typesOf(booked)).toEqual(['call.created', 'call.queued']);
  });

  it('a due call waits while the agents service is unavailable, and is queued afterwards', async () => {
    const agent = await prepared();
    const call = await book(agent);
    under.fakes.broken.agents = true;
    const asked = under.fakes.asked.agents;
    await comeDue(call);
    await eventually(async () => (under.fakes.asked.agents > asked ? true : undefined));
    expect((await read(at(0), agent, call.call_id)).status).toBe('scheduled');
    under.fakes.broken.agents = false;
    await becomes(agent, call, 'queued');
  });

  it.each<[string, (agent: AgentForCall) => unknown, object]>([
    ['whose agent is inactive', (agent) => (agent.status = 'inactive'), { ended_reason: 'agent_inactive' }],
    [
      'whose agent was deleted',
      ({ agentId }) => under.fakes.removeAgent(agentId),
      { ended_reason: 'configuration_unavailable' },
    ],
    [
      'whose agent configuration has blockers',
      (agent) => (agent.blockers = [{ code: 'voice_id_missing', scope: 'voice', detail: 'no voice' }]),
      { ended_reason: 'configuration_not_runnable', problems: [{ code: 'voice_id_missing', detail: 'no voice' }] },
    ],
    [
      'that lacks a variable which became required',
      (agent) =>
        (agent.variables = documentOf('VariablesConfig', {
          variables: [{ name: 'city', type: 'string', required: true }],
        })),
      { ended_reason: 'configuration_not_runnable', problems: [{ code: 'variables_invalid' }] },
    ],
    [
      'to a suppressed number',
      ({ organizationId }) => suppress(at(0), organizationId, '+15005550006'),
      { ended_reason: 'suppressed' },
    ],
    [
      'that the wallet does not cover',
      ({ organizationId }) => topUpWallet(at(0), organizationId, { amount_micros: 1 }),
      {},
    ],
  ])('a call %s fails when it is due', async (what, change, expected) => {
    const agent = await prepared();
    const paid = what.includes('wallet');
    if (paid) under.fakes.prepaid.add(agent.organizationId);
    const call = await book(agent);
    await change(agent);
    await comeDue(call);
    const failed = await becomes(agent, call, 'failed');
    expect(failed).toMatchObject(paid ? { ended_reason: 'insufficient_balance' } : expected);
    expect(await typesOf(call)).toEqual(['call.created', 'call.failed']);
    expect(await taken(agent)).toEqual({ ...nothing, booked: 0 });
  });

  it('a call whose from number was released fails as number_not_in_workspace', async () => {
    const agent = await prepared();
    const call = await book(agent);
    await query('update numbers set released_at = now() where organization_id = $1', agent.organizationId);
    await comeDue(call);
    expect(await becomes(agent, call, 'failed')).toMatchObject({ ended_reason: 'number_not_in_workspace' });
  });

  /** Waits until every replica refuses the agent's calls. */
  const suspend = async (agent: AgentForCall, kind: 'suspendedOrganizations' | 'suspendedAgents'): Promise<void> => {
    under.fakes.control[kind] = [kind === 'suspendedAgents' ? agent.agentId : agent.organizationId];
    for (const instance of instances) {
      await eventually(async () => {
        const [status] = await refusal(place(instance, agent, { to: '+19005550123' })).catch(() => [201]);
        return status === 423 ? true : undefined;
      });
    }
  };
  const reinstate = () => {
    under.fakes.control.suspendedOrganizations = [];
    under.fakes.control.suspendedAgents = [];
  };

  describe.each<[string, (agent: AgentForCall) => unknown, (agent: AgentForCall) => unknown, object]>([
    [
      'its organization is suspended',
      (agent) => suspend(agent, 'suspendedOrganizations'),
      reinstate,
      { ended_reason: 'suspended' },
    ],
    ['its agent is suspended', (agent) => suspend(agent, 'suspendedAgents'), reinstate, { ended_reason: 'suspended' }],
    [
      'the limit of live calls is reached',
      ({ organizationId }) => setControls(at(0), organizationId, { live_calls: 0 }),
      ({ organizationId }) => setControls(at(0), organizationId, {}),
      { ended_reason: 'live_call_limit' },
    ],
    [
      "the day's spend cap is reached",
      ({ organizationId }) => setControls(at(0), organizationId, { daily_spend_micros: 1 }),
      ({ organizationId }) => setControls(at(0), organizationId, {}),
      { ended_reason: 'spend_cap' },
    ],
    [
      'the queue is full',
      ({ organizationId }) => setControls(at(0), organizationId, { queued_calls: 0 }),
      ({ organizationId }) => setControls(at(0), organizationId, {}),
      { ended_reason: 'capacity_unavailable', reason_detail: 'queue_full' },
    ],
  ])('a due call, if %s', (_, close, open, failure) => {
    const waiting = async (agent: AgentForCall): Promise<CallRecord> => {
      const call = await book(agent);
      await close(agent);
      await comeDue(call);
      await eventually(async () => {
        const [row] = await query<{ waiting: boolean }>(
          'select waiting_since is not null as waiting from scheduled_calls where call_id = $1',
          call.call_id,
        );
        return row?.waiting === true ? true : undefined;
      });
      expect((await read(at(0), agent, call.call_id)).status).toBe('scheduled');
      return call;
    };

    it('waits, and is queued when that ends', async () => {
      const agent = await prepared();
      const call = await waiting(agent);
      await waitsSince(call, 59);
      await open(agent);
      await comeDue(call);
      await becomes(agent, call, 'queued');
    });

    it('fails with that reason after an hour', async () => {
      const agent = await prepared();
      const call = await waiting(agent);
      await waitsSince(call, 61);
      await comeDue(call);
      expect(await becomes(agent, call, 'failed')).toMatchObject(failure);
      expect(await taken(agent)).toEqual({ ...nothing, booked: 0 });
      await open(agent);
    });
  });

  it('the policy at the time when a call is due decides whether it is blocked, needs review or is queued', async () => {
    const agent = await prepared();
    const [blocked, held, consented] = [await book(agent), await book(agent), await book(agent, { consent: true })];
    await setPolicy(at(0), agent.organizationId, { consent_required: { mode: 'enforce' } });
    await comeDue(blocked, consented);
    expect(await becomes(agent, blocked, 'policy_blocked')).toMatchObject({
      policy: { verdict: 'blocked', rules: ['consent_required'] },
      failed_at: null,
    });
    expect(await typesOf(blocked)).toEqual(['call.created', 'call.failed']);
    await becomes(agent, consented, 'queued');
    await setPolicy(at(0), agent.organizationId, { consent_required: { mode: 'enforce', action: 'review' } });
    const before = (await at(0).request(routes.getCall, requestOf(agent, held))).etag;
    await comeDue(held);
    await becomes(agent, held, 'needs_review');
    expect((await at(0).request(routes.getCall, requestOf(agent, held))).etag).not.toBe(before);
    expect(await typesOf(held)).toEqual(['call.created']);
    expect((await resolveReview(at(1), agent.organizationId, held.call_id)).status).toBe('queued');
    expect(await typesOf(held)).toEqual(['call.created', 'call.queued']);
  });

  it('a due call waits during maintenance, and is queued after it', async () => {
    const agent = await prepared();
    const call = await book(agent);
    await waitsSince(call, 0);
    const to = await addNumber(at(0), agent, undefined, { inboundAgentId: agent.agentId });
    under.fakes.control.maintenance = true;
    // A replica that knows about the maintenance rejects incoming calls.
    for (const instance of instances) {
      await eventually(async () => {
        const line = { to, from: freshNumber(), gateway_call_id: newId('job') };
        const { call: incoming } = await ringAt(instance, gatewayCaller(agent.organizationId), line);
        return incoming.ended_reason === 'platform_maintenance' ? true : undefined;
      });
    }
    await comeDue(call);
    const [untouched] = await query<{ due: boolean }>(
      'select check_at <= now() as due from scheduled_calls where call_id = $1',
      call.call_id,
    );
    expect([untouched?.due, (await read(at(0), agent, call.call_id)).status]).toEqual([true, 'scheduled']);
    under.fakes.control.maintenance = false;
    await becomes(agent, call, 'queued');
  });

  it('calls canceled at the time when they are due end as canceled, once, without holds or jobs', async () => {
    const agent = await prepared();
    const { organizationId } = agent;
    const calls = await Promise.all(Array.from({ length: 20 }, () => book(agent)));
    const cancels = calls.map(({ call_id }, n) => cancelCall(at(n), organizationId, call_id));
    await Promise.all([comeDue(...calls), ...cancels]);
    for (const call of calls) {
      const { status } = await read(at(0), agent, call.call_id);
      expect(status).toBe('canceled');
      expect((await typesOf(call)).filter((type) => type === 'call.canceled')).toHaveLength(1);
    }
    expect(await taken(agent)).toMatchObject({ live: 0, queued: 0, spend: 0, booked: 0 });
  });

  it('scheduled calls reserve no money until they are due', async () => {
    const agent = await prepared();
    const { organizationId } = agent;
    under.fakes.prepaid.add(organizationId);
    await topUpWallet(at(0), organizationId, { amount_micros: 2 * hold });
    const calls = await Promise.all(Array.from({ length: 100 }, () => book(agent)));
    expect(await walletOf(at(0), organizationId)).toEqual([2 * hold, 0, 2 * hold]);
    await comeDue(calls[0] as CallRecord, calls[1] as CallRecord);
    for (const call of calls.slice(0, 2)) await becomes(agent, call, 'queued');
    expect(await walletOf(at(0), organizationId)).toEqual([2 * hold, 2 * hold, 0]);
  });

  it('a repeated Idempotency-Key returns the scheduled call; an unknown from number or language gets 400', async () => {
    const agent = await prepared();
    const body = { scheduled_at: inMs(3_600_000) };
    const first = await place(at(0), agent, { key: 'booked', body });
    const again = await place(at(1), agent, { key: 'booked', body });
    expect([again.replayed, again.call]).toEqual([true, first.call]);
    expect(await refusal(place(at(0), agent, { body: { ...body, from: '+14155559999' } }))).toEqual([
      400,
      'BadRequestError',
    ]);
    expect(await refusal(place(at(0), agent, { body: { ...body, language: 'zz-QQ' } }))).toEqual([
      400,
      'BadRequestError',
    ]);
  });

  const requestOf = ({ organizationId }: AgentForCall, { call_id }: CallRecord) => ({
    caller: customerCaller(organizationId),
    params: { call_id },
  });
});

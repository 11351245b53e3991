import { routes, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller } from '@parley/testing';
import { addNumber, claim, place, read, report, cancelCall, resolveReview } from './test-caller';
import { setPolicy } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('outbound policy of an organization', () => {
  let under: UnderTest;
  let instances: Instance[];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start({ workerLeaseSeconds: 300 }), await under.start({ workerLeaseSeconds: 300 })];
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % 2] as Instance;

  async function prepared(): Promise<AgentForCall> {
    const agent = under.fakes.addAgent();
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    return agent;
  }

  const put = ({ organizationId }: AgentForCall, body: object, ifMatch = '') =>
    setPolicy(at(0), organizationId, body, ifMatch);
  const reply = ({ organizationId }: Pick<AgentForCall, 'organizationId'>) =>
    at(1).request(routes.getPolicy, {
      caller: customerCaller(organizationId),
      params: { organization_id: organizationId },
    });
  const get = async (agent: AgentForCall) => (await reply(agent)).body;

  const taken = async ({ organizationId }: AgentForCall) => {
    const { rows } = await under.db.query({
      text: `select (select count(*)::int from jobs where organization_id = $1) as jobs,
               (select count(hold_micros)::int from calls where organization_id = $1) as holds,
               coalesce((select live from organization_controls where organization_id = $1), 0) as live`,
      values: [organizationId],
    });
    return rows[0];
  };

  it('a rule with action review creates the call as needs_review with rule and reason, without a job or hold', async () => {
    const agent = await prepared();
    await put(agent, { consent_required: { mode: 'enforce', action: 'review' } });
    const { call } = await place(at(1), agent);
    expect(call).toMatchObject({
      status: 'needs_review',
      policy: { verdict: 'review', rules: ['consent_required'], reasons: [expect.any(String)] },
    });
    expect(await read(at(0), agent, call.call_id)).toEqual(call);
    expect(await taken(agent)).toEqual({ jobs: 0, holds: 0, live: 0 });
    expect((await place(at(1), agent, { body: { consent: true } })).call.status).toBe('queued');
  });

  it('of 12 concurrent approvals of a review on two instances one succeeds, and the call is queued once', async () => {
    const agent = await prepared();
    await put(agent, { consent_required: { mode: 'enforce', action: 'review' } });
    const { call } = await place(at(0), agent);
    const { organizationId } = agent;
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => resolveReview(at(n), organizationId, call.call_id)),
    );
    const won = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value.status] : []));
    expect(won).toEqual(['queued']);
    expect(await taken(agent)).toEqual({ jobs: 1, holds: 1, live: 1 });
  });

  it('a call to a country outside the allow list is policy_blocked, in that organization only', async () => {
    const [agent, other] = [await prepared(), await prepared()];
    await put(agent, { destination_countries: { mode: 'enforce', list: 'allow', countries: ['US'] } });
    const to = '+442079460000';
    const { call } = await place(at(1), agent, { to });
    expect([call.status, call.policy.rules]).toEqual(['policy_blocked', ['destination_country']]);
    expect((await place(at(1), agent, { to: '+14155550100' })).call.status).toBe('queued');
    expect((await place(at(1), other, { to })).call.status).toBe('queued');
    await put(agent, {});
    expect((await place(at(1), agent, { to })).call.status).toBe('queued');
  });

  it("quiet hours are evaluated in the callee's local time when the call is placed", async () => {
    const agent = await prepared();
    const inBerlin = (aheadHours: number): string =>
      new Date(Date.now() + aheadHours * 3_600_000).toLocaleTimeString('en-GB', {
        timeZone: 'Europe/Berlin',
        hour: '2-digit',
        minute: '2-digit',
      });
    const checked = async (start: number, end: number) => {
      await put(agent, { quiet_hours: { mode: 'enforce', start: inBerlin(start), end: inBerlin(end) } });
      return (await place(at(0), agent, { to: '+493012345678' })).call.status;
    };
    expect([await checked(-2, 2), await checked(2, 6)]).toEqual(['policy_blocked', 'queued']);
  });

  it('a rule in mode shadow queues the call and records its verdict; premium-rate numbers stay blocked', async () => {
    const agent = await prepared();
    await put(agent, { consent_required: { mode: 'shadow' } });
    const { call } = await place(at(0), agent);
    expect(call).toMatchObject({
      status: 'queued',
      policy: { verdict: 'allowed', rules: [], shadow: [{ rule: 'consent_required', verdict: 'blocked' }] },
    });
    const premium = await place(at(0), agent, { to: '+19005550123', body: { consent: true } });
    expect(premium.call).toMatchObject({
      status: 'policy_blocked',
      policy: { rules: ['premium_rate_number'], reasons: [expect.any(String)] },
    });
  });

  it('a write replaces the whole policy and is audited; a stale If-Match gets 409; without a write all rules are null', async () => {
    const agent = await prepared();
    const { etag, body } = await reply(agent);
    expect(body).toMatchObject({ quiet_hours: null, consent_required: null, updated_at: null });
    expect(etag).toBe(`"${agent.organizationId}.policy.0"`);
    const first = await put(agent, { consent_required: { mode: 'off' } });
    await put(agent, { quiet_hours: { mode: 'shadow', start: '21:00', end: '08:00' } }, first.etag);
    expect(await get(agent)).toMatchObject({ quiet_hours: { start: '21:00' }, consent_required: null });
    expect(await refusal(put(agent, {}, first.etag))).toEqual([409, 'ConflictError']);
    const { rows } = await under.db.query({
      text: `select payload::json ->> 'action' as action from outbox where subject = $1 and payload not like '%"number.%'`,
      values: [`audit.v1.${agent.organizationId}`],
    });
    expect(rows).toEqual([{ action: 'policy.changed' }, { action: 'policy.changed' }]);
  });

  it.each([
    ['live_calls', { live_calls: 10 }],
    ['calls_per_hour', { calls_per_hour: 10 }],
    ['daily_spend', { daily_spend_micros: 11 * 1_740_000 - 1 }],
  ])(
    'caps: of 120 concurrent calls on two instances exactly 10 are queued, the others are policy_blocked by cap_%s',
    async (id, rule) => {
      const agent = await prepared();
      await put(agent, { caps: { mode: 'enforce', ...rule } });
      // A spend day that does not end during the test.
      await under.db.query({
        text: `insert into organization_controls (organization_id, spend_day) values ($1, '9999-12-31')
               on conflict (organization_id) do update set spend_day = excluded.spend_day`,
        values: [agent.organizationId],
      });
      const placed = await Promise.all(Array.from({ length: 120 }, (_, n) => place(at(n), agent, { key: `k${n}` })));
      const queued = placed.filter(({ call }) => call.status === 'queued');
      const blocked = placed.filter(({ call }) => call.status === 'policy_blocked');
      expect([queued.length, blocked.length]).toEqual([10, 110]);
      for (const { call } of blocked) expect(call.policy.rules).toEqual([`cap_${id}`]);
      expect(await taken(agent)).toEqual({ jobs: 10, holds: 10, live: 10 });
    },
  );

  it('caps: an approval may exceed them; mode shadow only records the verdict; a cancellation makes room for another call', async () => {
    const agent = await prepared();
    const { organizationId } = agent;
    await put(agent, { caps: { mode: 'enforce', action: 'review', live_calls: 1 } });
    const first = (await place(at(0), agent)).call;
    const held = (await place(at(1), agent)).call;
    expect([first.status, held.status]).toEqual(['queued', 'needs_review']);
    await resolveReview(at(0), organizationId, held.call_id);
    expect(await taken(agent)).toEqual({ jobs: 2, holds: 2, live: 2 });
    await put(agent, { caps: { mode: 'shadow', live_calls: 1 } });
    const shadowed = (await place(at(1), agent)).call;
    expect(shadowed).toMatchObject({
      status: 'queued',
      policy: { verdict: 'allowed', rules: [], shadow: [{ rule: 'cap_live_calls', verdict: 'blocked' }] },
    });
    await put(agent, { caps: { mode: 'enforce', live_calls: 3 } });
    expect((await place(at(0), agent)).call.status).toBe('policy_blocked');
    await cancelCall(at(1), organizationId, first.call_id);
    expect((await place(at(0), agent)).call.status).toBe('queued');
  });

  /** The time in Tokyo this many minutes from now, as HH:MM. Tokyo has no daylight saving time, so no hour is skipped or repeated. */
  const inTokyo = (minutes: number): string =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Tokyo',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(Date.now() + minutes * 60_000);
  const quietNow = (mode: string) => ({ quiet_hours: { mode, start: inTokyo(-60), end: inTokyo(60) } });
  const jobOf = async (agent: AgentForCall): Promise<WorkerJob> => {
    const [job] = await claim(at(0), 1, 20, customerCaller(agent.organizationId));
    return job as WorkerJob;
  };
  const due = (agent: AgentForCall) =>
    under.db.query({
      text: 'update jobs set available_at = now() where organization_id = $1',
      values: [agent.organizationId],
    });

  it('quiet hours that began while a call was queued delay its dialing until they end, without an event', async () => {
    const agent = await prepared();
    const { call } = await place(at(0), agent, { to: '+81312345678' });
    await put(agent, quietNow('enforce'));
    const job = await jobOf(agent);
    expect(await refusal(report(at(1), job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    const { rows } = await under.db.query<{ state: string; minutes: number; queued: number; permitted: boolean }>({
      text: `select j.state, extract(epoch from j.available_at - now())::float8 / 60 as minutes, c.queued,
               j.permitted_at is not null as permitted
             from jobs j join organization_controls c using (organization_id) where j.organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(rows).toMatchObject([{ state: 'queued', queued: 1, permitted: false }]);
    expect(rows[0]?.minutes).toBeGreaterThan(50);
    expect(rows[0]?.minutes).toBeLessThanOrEqual(60);
    expect(await read(at(0), agent, call.call_id)).toEqual(call);
    // Later reports of the worker are stale.
    expect(await refusal(report(at(1), job, 2, 'dialing'))).toEqual([409, 'ConflictError']);
    await put(agent, quietNow('off'));
    await due(agent);
    const again = await jobOf(agent);
    expect(await report(at(1), again, 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
  });

  it('quiet hours in mode shadow, and for calls approved in a review, do not delay dialing', async () => {
    const agent = await prepared();
    const { organizationId } = agent;
    await place(at(0), agent, { to: '+81312345678' });
    await put(agent, quietNow('shadow'));
    expect(await report(at(1), await jobOf(agent), 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
    const rule = quietNow('enforce').quiet_hours;
    await put(agent, { quiet_hours: { ...rule, action: 'review' } });
    const { call } = await place(at(0), agent, { to: '+81312345678' });
    expect(call.status).toBe('needs_review');
    await resolveReview(at(0), organizationId, call.call_id);
    expect(await report(at(1), await jobOf(agent), 1, 'dialing')).toMatchObject({ call_status: 'dialing' });
  });

  it('calls are claimed in order of their priority, including calls approved in a review', async () => {
    const agent = await prepared();
    const { organizationId } = agent;
    await put(agent, { consent_required: { mode: 'enforce', action: 'review' } });
    const asked = async (priority: string | undefined, consent: boolean) =>
      (await place(at(0), agent, { body: { consent, ...(priority !== undefined && { priority }) } })).call.call_id;
    const low = await asked('low', true);
    const heldLow = await asked('low', false);
    const normal = await asked(undefined, true);
    const heldHigh = await asked('high', false);
    const high = await asked('high', true);
    for (const callId of [heldLow, heldHigh]) {
      await resolveReview(at(1), organizationId, callId);
    }
    const order: string[] = [];
    for (let n = 0; n < 5; n += 1) order.push((await jobOf(agent)).call.call_id);
    expect(order).toEqual([high, heldHigh, normal, low, heldLow]);
    expect(await refusal(place(at(0), agent, { body: { priority: 'urgent' } }))).toEqual([400, 'BadRequestError']);
  });

  it.each([
    [{ consent_required: { mode: 'perhaps' } }],
    [{ consent_required: {} }],
    [{ caps: { mode: 'enforce' } }],
    [{ caps: { mode: 'enforce', live_calls: null } }],
    [{ caps: { mode: 'enforce', live_calls: -1 } }],
    [{ caps: { live_calls: 1 } }],
    [{ quiet_hours: { mode: 'enforce', start: '24:00', end: '08:00' } }],
    [{ quiet_hours: { mode: 'enforce', start: '08:00', end: '08:00' } }],
    [{ destination_countries: { mode: 'enforce', list: 'allow', countries: [] } }],
    [{ destination_countries: { mode: 'enforce', list: 'allow', countries: ['usa'] } }],
  ])('the policy %j gets 400 and changes nothing', async (body) => {
    const agent = await prepared();
    expect(await refusal(put(agent, body))).toEqual([400, 'BadRequestError']);
    expect(await get(agent)).toMatchObject({ updated_at: null });
  });
});

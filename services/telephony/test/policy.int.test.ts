import { createHash } from 'node:crypto';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, jsonOf } from '@parley/runtime';
import { operatorCaller } from '@parley/testing';
import { addNumber, as, customer, place, read, recordOf } from './caller-of';
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
    const agent = under.beside.addAgent();
    await addNumber(at(0), agent);
    return agent;
  }

  const put = ({ organizationId }: AgentForCall, body: object, ifMatch = '') =>
    at(0).client.setPolicy(
      {
        organizationId,
        body: documentOf('OutboundPolicyUpdate', body),
        idempotency: { key: '', route: 'set-policy', fingerprint: createHash('sha256').update('').digest() },
        ifMatch,
      },
      as(operatorCaller),
    );
  const get = async ({ organizationId }: AgentForCall) =>
    jsonOf((await at(1).client.getPolicy({ organizationId }, customer(organizationId))).document);

  const taken = async ({ organizationId }: AgentForCall) => {
    const { rows } = await under.db.query({
      text: `select (select count(*)::int from jobs where organization_id = $1) as jobs,
               (select count(hold_micros)::int from calls where organization_id = $1) as holds,
               coalesce((select live from organization_controls where organization_id = $1), 0) as live`,
      values: [organizationId],
    });
    return rows[0];
  };

  it('2.7 needs_review, 7.4 needs_review: a rule holds the call, 201 with rule and reason, nothing is taken; it is read so', async () => {
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

  it('5 r13: of 12 who resolve a held call at once over two instances one does, and it waits in the queue once', async () => {
    const agent = await prepared();
    await put(agent, { consent_required: { mode: 'enforce', action: 'review' } });
    const { call } = await place(at(0), agent);
    const { organizationId } = agent;
    const request = {
      organizationId,
      callId: call.call_id,
      body: documentOf('ReviewResolve', { decision: 'approve' }),
    };
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => at(n).client.resolveReview(request, customer(organizationId))),
    );
    const won = tries.flatMap((each) => (each.status === 'fulfilled' ? [recordOf(each.value).status] : []));
    expect(won).toEqual(['queued']);
    expect(await taken(agent)).toEqual({ jobs: 1, holds: 1, live: 1 });
  });

  it('7.4 policy_blocked: countries are held against the number; a list of one organization is not that of another', async () => {
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

  it("8 quiet hours: by the callee's clocks at the moment the call is scheduled for", async () => {
    const agent = await prepared();
    await put(agent, { quiet_hours: { mode: 'enforce', start: '21:00', end: '08:00' } });
    // Berlin in January: an hour before UTC.
    const judgedAt = async (scheduled_at: string) =>
      (await place(at(0), agent, { to: '+493012345678', body: { scheduled_at } })).call.status;
    expect(await judgedAt('2040-01-15T06:59:00Z')).toBe('policy_blocked');
    expect(await judgedAt('2040-01-15T07:00:00Z')).toBe('queued');
    expect(await judgedAt('2040-07-15T05:59:00Z')).toBe('policy_blocked');
    expect(await judgedAt('2040-07-15T06:00:00Z')).toBe('queued');
  });

  it('a rule in shadow lets the call go and records what it would have done; premium numbers stay refused', async () => {
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

  it('a policy is replaced whole, a stale If-Match is a 409, the act is audited; what was never set reads as no rules', async () => {
    const agent = await prepared();
    expect(await get(agent)).toMatchObject({ quiet_hours: null, consent_required: null, updated_at: null });
    const first = await put(agent, { consent_required: { mode: 'off' } });
    await put(agent, { quiet_hours: { mode: 'shadow', start: '21:00', end: '08:00' } }, first.etag);
    expect(await get(agent)).toMatchObject({ quiet_hours: { start: '21:00' }, consent_required: null });
    expect(await refusal(put(agent, {}, first.etag))).toEqual([409, 'ConflictError']);
    const { rows } = await under.db.query({
      text: `select payload::json ->> 'action' as action from outbox where subject = $1`,
      values: [`audit.v1.${agent.organizationId}`],
    });
    expect(rows).toEqual([{ action: 'policy.changed' }, { action: 'policy.changed' }]);
  });

  it.each([
    [{ consent_required: { mode: 'perhaps' } }],
    [{ consent_required: {} }],
    [{ quiet_hours: { mode: 'enforce', start: '24:00', end: '08:00' } }],
    [{ quiet_hours: { mode: 'enforce', start: '08:00', end: '08:00' } }],
    [{ destination_countries: { mode: 'enforce', list: 'allow', countries: [] } }],
    [{ destination_countries: { mode: 'enforce', list: 'allow', countries: ['usa'] } }],
  ])('a policy of %j is a 400 and changes nothing', async (body) => {
    const agent = await prepared();
    expect(await refusal(put(agent, body))).toEqual([400, 'BadRequestError']);
    expect(await get(agent)).toMatchObject({ updated_at: null });
  });
});

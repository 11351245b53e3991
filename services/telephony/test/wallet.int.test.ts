import { routes } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller } from '@parley/testing';
import { addNumber, cancelCall, place, resolveReview } from './test-caller';
import { removeSuppression, setControls, suppress, topUpWallet, walletOf } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const hold = 1_740_000;

describe('wallet, workspace controls, suppressions and reviews', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  async function prepared(billing: 'prepaid' | 'unmetered' = 'unmetered'): Promise<AgentForCall> {
    const agent = under.fakes.addAgent();
    if (billing === 'prepaid') under.fakes.prepaid.add(agent.organizationId);
    await addNumber(telephony, agent);
    return agent;
  }

  const topUp = (instance: Instance, { organizationId }: AgentForCall, body: object, key = '') =>
    topUpWallet(instance, organizationId, body, key);
  const limit = ({ organizationId }: AgentForCall, body: object, ifMatch = '') =>
    setControls(telephony, organizationId, body, ifMatch);
  const wallet = ({ organizationId }: AgentForCall) => walletOf(telephony, organizationId);
  const acts = async ({ organizationId }: AgentForCall): Promise<string[]> => {
    const { rows } = await under.db.query<{ action: string }>({
      text: `select payload::json ->> 'action' as action from outbox where subject = $1 and payload not like '%"number.%' order by position`,
      values: [`audit.v1.${organizationId}`],
    });
    return rows.map(({ action }) => action);
  };

  it('top-ups are added once per Idempotency-Key, audited, and listed newest first in the ledger', async () => {
    const agent = await prepared('prepaid');
    const { organizationId } = agent;
    const same = await Promise.all(
      [telephony, second, telephony, second].map((by) => topUp(by, agent, { amount_micros: 700 }, 'k')),
    );
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    expect(same.filter(({ replayed }) => replayed)).toHaveLength(3);
    await topUp(second, agent, { amount_micros: 41, note: 'more' });
    expect(await wallet(agent)).toEqual([741, 0, 741]);
    expect(await refusal(topUp(telephony, agent, { amount_micros: 5 }, 'k'))).toEqual([409, 'ConflictError']);
    const caller = customerCaller(organizationId);
    const { body } = await telephony.request(routes.listLedger, { caller, query: { limit: 1 } });
    expect(body).toMatchObject({
      data: [{ kind: 'top_up', amount: { amount_micros: 41 }, balance: { amount_micros: 741 }, note: 'more' }],
      next_cursor: expect.any(String) as unknown,
    });
    expect(await acts(agent)).toEqual(['wallet.topped_up', 'wallet.topped_up']);
  });

  it.each([
    [{ amount_micros: 0 }],
    [{ amount_micros: -1 }],
    [{ amount_micros: 1.5 }],
    [{ amount_micros: 1e12 + 1 }],
    [{}],
  ])('a top-up of %j gets 400 and changes nothing', async (body) => {
    const agent = await prepared('prepaid');
    expect(await refusal(topUp(telephony, agent, body))).toEqual([400, 'BadRequestError']);
    expect(await wallet(agent)).toEqual([0, 0, 0]);
  });

  it('a call reserves its maximum cost, else 402 InsufficientBalanceError; a cancellation releases the hold', async () => {
    const agent = await prepared('prepaid');
    const { organizationId } = agent;
    await topUp(telephony, agent, { amount_micros: hold + 1 });
    const { call } = await place(second, agent);
    expect(await wallet(agent)).toEqual([hold + 1, hold, 1]);
    expect(await refusal(place(telephony, agent))).toEqual([402, 'InsufficientBalanceError']);
    await cancelCall(second, organizationId, call.call_id);
    expect(await wallet(agent)).toEqual([hold + 1, 0, hold + 1]);
    expect((await place(telephony, agent)).call.status).toBe('queued');
  });

  it('changed workspace controls apply immediately on every instance and are audited; a stale If-Match gets 409', async () => {
    const agent = await prepared();
    await place(telephony, agent);
    const first = await limit(agent, { live_calls: 1 });
    expect(await refusal(place(telephony, agent))).toEqual([423, 'SuspensionError']);
    expect(await refusal(place(second, agent))).toEqual([423, 'SuspensionError']);
    const wider = await limit(agent, { live_calls: 2, queued_calls: 9 }, first.etag);
    expect(wider.body).toMatchObject({ live_calls: 2, queued_calls: 9, calls_per_minute: null });
    expect(await refusal(limit(agent, {}, first.etag))).toEqual([409, 'ConflictError']);
    expect((await place(second, agent)).call.status).toBe('queued');
    expect(await refusal(place(telephony, agent))).toEqual([423, 'SuspensionError']);
    expect(await acts(agent)).toEqual(['controls.changed', 'controls.changed']);
  });

  it('calls to a suppressed number get 423 SuspensionError until it is removed, in that organization only', async () => {
    const [agent, other] = [await prepared(), await prepared()];
    const to = '+14155550177';
    const added = await suppress(telephony, agent.organizationId, to, to, '+14155550178');
    expect(added.body).toEqual({ added: 2 });
    const listed = async ({ organizationId }: AgentForCall) => {
      const { body } = await telephony.request(routes.listSuppressions, { caller: customerCaller(organizationId) });
      return body.data.map(({ phone_number, reason }) => [phone_number, reason]);
    };
    const both = [to, '+14155550178'].map((number) => [number, '']);
    expect([await listed(agent), await listed(other)]).toEqual([both, []]);
    expect(await refusal(place(second, agent, { to }))).toEqual([423, 'SuspensionError']);
    expect((await place(second, other, { to })).call.status).toBe('queued');
    const remove = () => removeSuppression(telephony, agent.organizationId, to);
    expect((await remove()).body).toEqual({ removed: true });
    expect((await remove()).body).toEqual({ removed: false });
    expect((await place(second, agent, { to })).call.status).toBe('queued');
    expect(await acts(agent)).toEqual(['suppressions.added', 'suppression.removed']);
  });

  it('a number that is suppressed or removed with a zero for calls inside the country is the number without it', async () => {
    const agent = await prepared();
    const [written, to] = ['+4901701234567', '+491701234567'];
    expect((await suppress(telephony, agent.organizationId, written, to)).body).toEqual({ added: 1 });
    for (const one of [written, to])
      expect(await refusal(place(second, agent, { to: one }))).toEqual([423, 'SuspensionError']);
    expect((await removeSuppression(telephony, agent.organizationId, written)).body).toEqual({ removed: true });
    expect((await place(second, agent, { to })).call.status).toBe('queued');
  });

  /** A call that waits for a review; no rule of the platform itself requires one. */
  async function held(agent: AgentForCall): Promise<string> {
    const { call } = await place(telephony, agent, { to: '+19005550123' });
    await under.db.query({
      text: `update calls set status = 'needs_review', policy_verdict = 'review' where organization_id = $1 and call_id = $2`,
      values: [agent.organizationId, call.call_id],
    });
    return call.call_id;
  }
  const resolve = (by: Instance, { organizationId }: AgentForCall, callId: string, decision: string, alongside = {}) =>
    resolveReview(by, organizationId, callId, decision, alongside);

  it('of concurrent decisions on a review one succeeds; an approved call is queued with a hold', async () => {
    const agent = await prepared('prepaid');
    await topUp(telephony, agent, { amount_micros: 2 * hold });
    const callId = await held(agent);
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        resolve(n % 2 ? telephony : second, agent, callId, n % 3 ? 'approve' : 'reject'),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const again = await held(agent);
    expect((await resolve(second, agent, again, 'approve')).status).toBe('queued');
    const [balance, reserved] = await wallet(agent);
    const { rows } = await under.db.query<{ jobs: number; holds: number }>({
      text: `select (select count(*)::int from jobs where organization_id = $1) as jobs,
               (select sum(hold_micros)::float8 from calls where organization_id = $1) as holds`,
      values: [agent.organizationId],
    });
    expect([balance, reserved]).toEqual([2 * hold, rows[0]?.holds]);
    expect((rows[0]?.jobs ?? 0) * hold).toBe(reserved);
  });

  it('an approval above the current live_calls limit gets 423 and leaves the call in review', async () => {
    const agent = await prepared();
    const callId = await held(agent);
    await limit(agent, { live_calls: 0 });
    expect(await refusal(resolve(telephony, agent, callId, 'approve'))).toEqual([423, 'SuspensionError']);
    await limit(agent, {});
    expect(await refusal(resolve(telephony, agent, callId, 'perhaps'))).toEqual([400, 'BadRequestError']);
    const [own, other] = [agent.projectId, under.fakes.addAgent().projectId];
    expect(await refusal(resolve(telephony, agent, callId, 'approve', { project_id: other }))).toEqual([
      403,
      'ForbiddenError',
    ]);
    expect((await resolve(telephony, agent, callId, 'approve', { project_id: own })).status).toBe('queued');
    expect(await refusal(resolve(telephony, agent, callId, 'approve'))).toEqual([409, 'ConflictError']);
    const stranger = await prepared();
    expect(await refusal(resolve(telephony, stranger, callId, 'approve'))).toEqual([404, 'NotFoundError']);
  });
});

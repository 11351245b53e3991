import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { addNumber, cancelCall, claimOne, complete, place, report } from './test-caller';
import { topUpWallet, walletOf } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const hold = 1_740_000;

/** The billing mode of organizations comes from auth and can change during calls. */
describe('a change of billing', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  /** Changes the billing mode as auth commits it: the change, and a new control epoch. */
  const change = async (organizationId: string, billing: 'prepaid' | 'unmetered'): Promise<void> => {
    const { control, billingChanges } = under.fakes;
    control.epoch += 1;
    const known = billingChanges.findIndex((one) => one.organizationId === organizationId);
    if (known >= 0) billingChanges.splice(known, 1);
    billingChanges.push({ organizationId, billing, epoch: String(control.epoch) });
    await eventually(async () => ((await stored(organizationId))?.billing === billing ? true : undefined));
  };
  const stored = async (organizationId: string) => {
    const { rows } = await under.db.query<{ billing: string; live: number; reserved: number; holding: number }>({
      text: `select billing, live, reserved_micros::float8 as reserved,
               (select count(hold_micros)::integer from calls where organization_id = $1) as holding
             from organization_controls where organization_id = $1`,
      values: [organizationId],
    });
    return rows[0];
  };
  async function prepared(billing: 'prepaid' | 'unmetered'): Promise<AgentForCall> {
    const agent = under.fakes.addAgent();
    if (billing === 'prepaid') under.fakes.prepaid.add(agent.organizationId);
    await addNumber(telephony, agent);
    return agent;
  }

  it('to prepaid: the next call needs a balance (402); earlier calls reserve and charge nothing', async () => {
    const agent = await prepared('unmetered');
    const { organizationId } = agent;
    const { call: before } = await place(telephony, agent);
    await change(organizationId, 'prepaid');
    for (const by of [telephony, second]) {
      expect(await refusal(place(by, agent))).toEqual([402, 'InsufficientBalanceError']);
    }
    await topUpWallet(telephony, organizationId, { amount_micros: hold });
    await place(second, agent);
    expect(await walletOf(telephony, organizationId)).toEqual([hold, hold, 0]);
    await cancelCall(telephony, organizationId, before.call_id);
    expect(await walletOf(telephony, organizationId)).toEqual([hold, hold, 0]);
    expect(await stored(organizationId)).toMatchObject({ live: 1, holding: 1 });
    const job = await claimOne(telephony);
    await report(telephony, job, 1, 'dialing', { type: 'failed', ended_reason: 'busy' });
    await complete(telephony, job);
    expect(await walletOf(telephony, organizationId)).toEqual([hold, 0, hold]);
  });

  it('to unmetered: new calls need no balance; a call with a hold is still charged', async () => {
    const agent = await prepared('prepaid');
    const { organizationId } = agent;
    await topUpWallet(telephony, organizationId, { amount_micros: hold });
    const { call } = await place(telephony, agent);
    await change(organizationId, 'unmetered');
    await place(second, agent);
    expect(await walletOf(telephony, organizationId)).toEqual([hold, hold, 0]);
    const job = await claimOne(telephony);
    expect(job.call.call_id).toBe(call.call_id);
    await report(telephony, job, 1, 'dialing', 'answered');
    await under.db.query({
      text: `update calls set answered_at = answered_at - interval '60 seconds' where call_id = $1`,
      values: [call.call_id],
    });
    await report(telephony, job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, job);
    const [balance, reserved] = await walletOf(telephony, organizationId);
    expect(reserved).toBe(0);
    expect(hold - balance).toBeGreaterThanOrEqual(60_000);
    const next = await claimOne(telephony);
    await report(telephony, next, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, next);
    expect(await walletOf(telephony, organizationId)).toEqual([balance, 0, balance]);
  });

  it('applies to the first call of an organization if it was changed before', async () => {
    const agent = await prepared('unmetered');
    await change(agent.organizationId, 'prepaid');
    expect(await refusal(place(telephony, agent))).toEqual([402, 'InsufficientBalanceError']);
  });

  it('made while no instance was running is applied when one starts', async () => {
    const agent = await prepared('unmetered');
    await place(telephony, agent);
    await telephony.stop();
    await second.stop();
    const { control, billingChanges } = under.fakes;
    control.epoch += 2;
    billingChanges.push({ organizationId: newId('org'), billing: 'prepaid', epoch: String(control.epoch - 1) });
    billingChanges.push({ organizationId: agent.organizationId, billing: 'prepaid', epoch: String(control.epoch) });
    telephony = await under.start();
    await eventually(async () => ((await stored(agent.organizationId))?.billing === 'prepaid' ? true : undefined));
    expect(await refusal(place(telephony, agent))).toEqual([402, 'InsufficientBalanceError']);
  });
});

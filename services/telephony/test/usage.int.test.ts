import { routes, type Coverage, type Usage } from '@parley/contract';
import { newId } from '@parley/runtime';
import { customerCaller, eventually, operatorCaller } from '@parley/testing';
import { addNumber, cancelCall, claimOne, complete, freshNumber, place, read, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { eraseCall } from './erasing';
import { readMessage, send } from './test-messages';
import { setPolicy } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('usage and coverage (docs/reference/analytics.md)', () => {
  let under: UnderTest;
  let telephony: Instance;
  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  async function usage(organizationId: string, query: Record<string, string> = {}): Promise<Usage> {
    return (await telephony.request(routes.getUsage, { caller: customerCaller(organizationId), query })).body;
  }

  const nothing = {
    calls: { calls: 0, answered: 0, duration_seconds: 0, cost_micros: 0 },
    messages: { sent: 0, received: 0, segments: 0, cost_micros: 0 },
  };

  it('sums completed calls and messages of the own organization; erasing a call does not change the sums', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent, { to: freshNumber() });
    const job = await claimOne(telephony);
    await report(telephony, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, job);
    const { call: second } = await place(telephony, agent, { to: freshNumber() });
    await cancelCall(telephony, agent.organizationId, second.call_id);
    const { message } = await send(telephony, agent, { body: { body: 'a'.repeat(200) } });
    await eventually(async () => {
      const { status } = await readMessage(telephony, agent, message.message_id);
      return status === 'delivered' ? true : undefined;
    });
    const [talked, sent] = [
      await read(telephony, agent, call.call_id),
      await readMessage(telephony, agent, message.message_id),
    ];
    const expected = {
      organization_id: agent.organizationId,
      calls: {
        calls: 2,
        answered: 1,
        duration_seconds: talked.duration_seconds,
        cost_micros: talked.cost.amount_micros,
      },
      messages: { sent: 1, received: 0, segments: 2, cost_micros: sent.cost.amount_micros },
    };
    expect(await usage(agent.organizationId)).toMatchObject(expected);
    await eraseCall(telephony, agent.organizationId, call.call_id);
    const { from, to, ...sums } = await usage(agent.organizationId);
    expect(sums).toEqual(expected);
    expect([from, to]).toEqual([expect.stringMatching(/:00:00\.000Z$/), expect.stringMatching(/:00:00\.000Z$/)]);
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 24 * 3_600_000);
    // The previous hour contains none of it.
    const before = new Date(Date.parse(to) - 2 * 3_600_000).toISOString();
    expect(await usage(agent.organizationId, { from, to: before })).toMatchObject(nothing);
    expect(await usage(under.fakes.addAgent().organizationId)).toMatchObject(nothing);
  });

  it.each([
    [200, { from: '2026-01-01T00:00:00Z', to: '2026-04-04T00:00:00Z' }],
    [400, { from: '2026-01-01T00:00:00Z', to: '2026-04-06T00:00:00Z' }],
    [400, { from: '2026-02-01T01:00:00Z', to: '2026-02-01T01:00:00Z' }],
    [400, { from: 'yesterday' }],
    [400, { interval: 'day' }],
  ])('answers %d for the query %j', async (status, query) => {
    const caller = customerCaller(newId('org'));
    const asking = telephony.request(routes.getUsage, { caller, query });
    if (status === 200) expect((await asking).body).toMatchObject(nothing);
    else expect(await refusal(asking)).toEqual([400, 'BadRequestError']);
  });

  async function coverage(organizationId: string): Promise<Coverage> {
    return (await telephony.request(routes.getCoverage, { caller: customerCaller(organizationId) })).body;
  }

  it('coverage lists the blockers of each carrier and dialer, and follows the declared capabilities of workers', async () => {
    const { organizationId } = under.fakes.addAgent();
    const found = async (carrier: string, dialer: string) =>
      (await coverage(organizationId)).carriers.find((one) => one.carrier === carrier && one.dialer === dialer);
    expect(await found('simulator', 'hosted')).toEqual({
      carrier: 'simulator',
      dialer: 'hosted',
      simulated: true,
      available: true,
      blockers: [],
    });
    // Hosted lines of twilio need an account of the organization.
    const twilio = await found('twilio', 'hosted');
    expect(twilio).toMatchObject({ simulated: false, available: false });
    expect(twilio?.blockers.map(({ code }) => code)).toContain('carrier_credential_missing');
    expect((await found('simulator', 'own'))?.blockers.map(({ code }) => code)).toEqual(['carrier_unavailable']);
    await declareWorkers(under.db, { ...hostedCapabilities, carriers: ['simulator'] }, organizationId);
    expect(await found('simulator', 'own')).toMatchObject({ available: true, blockers: [] });
    const stranger = await coverage(under.fakes.addAgent().organizationId);
    expect(stranger.carriers.find((one) => one.carrier === 'simulator' && one.dialer === 'own')?.available).toBe(false);
  });

  it.each([
    ['allow', 'enforce', ['DE', 'US'], ['DE', 'US']],
    ['deny', 'enforce', ['DE'], undefined],
    ['allow', 'shadow', ['DE'], undefined],
    ['allow', 'off', ['DE'], undefined],
  ] as const)(
    'coverage lists the countries allowed by the policy: list %s, mode %s',
    async (list, mode, countries, left) => {
      const { organizationId } = under.fakes.addAgent();
      const all = (await coverage(organizationId)).countries;
      expect(all.length).toBeGreaterThan(200);
      await setPolicy(telephony, organizationId, { destination_countries: { mode, list, countries } });
      const now = (await coverage(organizationId)).countries;
      expect(now).toEqual(left ?? (mode === 'enforce' ? all.filter((one) => one !== 'DE') : all));
    },
  );

  it('an operator request without an organization gets 400', async () => {
    for (const route of [routes.getUsage, routes.getCoverage])
      expect(await refusal(telephony.request(route, { caller: operatorCaller, organizationId: '' }))).toEqual([
        400,
        'BadRequestError',
      ]);
  });
});

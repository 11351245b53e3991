import { limits, routes } from '@parley/contract';
import { customerCaller } from '@parley/testing';
import { addNumber, numbersOf } from './test-caller';
import { gatewayCaller, ringAt } from './gateway-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const from = '+4930123456';
const pin = '123456';
const draft = { version: 0, sha256: 'a'.repeat(64), definition: { nodes: [{ id: 's', type: 'start' }], edges: [] } };
const wrong = [400, 'BadRequestError'];
const tooMany = [429, 'rate_limited'];

/** A caller gives the PIN of a workflow's draft. */
describe('the PIN of a workflow draft, sent by a media gateway with an incoming call', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;
  let named = 0;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
    second = await under.start();
  });
  afterAll(() => under.stop());

  const answering = async () => {
    const agent = under.fakes.addAgent();
    under.fakes.drafts.set(agent.agentId, { pin, workflow: draft });
    const to = await addNumber(telephony, agent);
    const [number] = await numbersOf(telephony, agent);
    await telephony.request(routes.updateNumber, {
      caller: customerCaller(agent.organizationId),
      params: { number_id: number?.number_id ?? '' },
      body: { inbound_agent_id: agent.agentId },
    });
    return { organizationId: agent.organizationId, to };
  };
  type Answering = Awaited<ReturnType<typeof answering>>;

  const ring = (
    { organizationId, to }: Answering,
    given: string | undefined,
    at = telephony,
    name = `PIN${(named += 1)}`,
  ) => ringAt(at, gatewayCaller(organizationId), { to, from, gateway_call_id: name, ...(given && { pin: given }) });
  const workflowOf = async ({ organizationId }: Answering, callId: string) => {
    const request = { caller: gatewayCaller(organizationId), params: { call_id: callId } };
    const { body } = await telephony.request(routes.getCallConfiguration, request);
    return (body.runtime_configuration['tuning'] as { workflow?: unknown }).workflow;
  };
  const callsOf = async ({ organizationId }: Answering) => {
    const { rows } = await under.db.query<{ count: number }>({
      text: 'select count(*)::integer as count from calls where organization_id = $1',
      values: [organizationId],
    });
    return rows[0]?.count;
  };

  it('selects the draft for that call only', async () => {
    const number = await answering();
    const { action, call } = await ring(number, pin);
    expect(action).toBe('answer');
    expect(await workflowOf(number, call.call_id)).toEqual(draft);
    const other = await ring(number, undefined);
    expect(await workflowOf(number, other.call.call_id)).toBeUndefined();
  });

  it('gets 400 and creates no call if it is wrong', async () => {
    const number = await answering();
    expect(await refusal(ring(number, '654321'))).toEqual(wrong);
    expect(await callsOf(number)).toBe(0);
  });

  it.each(['12345', '1234567', '12345a', '', 123456])('%j has an invalid format and gets 400', async (given) => {
    const number = await answering();
    const body = { to: number.to, from, gateway_call_id: `PIN${(named += 1)}`, pin: given };
    const asked = telephony.request(routes.routeInboundCall, { caller: gatewayCaller(number.organizationId), body });
    expect(await refusal(asked)).toEqual(wrong);
    expect(await refusal(ring(number, '654321'))).toEqual(wrong);
  });

  it(`can be wrong ${limits.wrongPinsPerHour} times an hour per number; then the right one gets 429 too, but not at other numbers`, async () => {
    const [number, other] = [await answering(), await answering()];
    for (let nth = 1; nth <= limits.wrongPinsPerHour; nth += 1) {
      expect(await refusal(ring(number, '654321', nth % 2 === 0 ? second : telephony))).toEqual(wrong);
      if (nth < limits.wrongPinsPerHour) expect((await ring(number, pin)).action).toBe('answer');
    }
    expect(await refusal(ring(number, pin))).toEqual(tooMany);
    expect((await ring(number, undefined)).action).toBe('answer');
    expect((await ring(other, pin)).action).toBe('answer');
  });

  it('of 12 concurrent wrong attempts on two replicas 5 get 400 and 7 get 429', async () => {
    const number = await answering();
    const tries = Array.from({ length: 12 }, (_, n) =>
      refusal(ring(number, '654321', n % 2 === 0 ? telephony : second)),
    );
    const found = (await Promise.all(tries)).map(([status]) => status).sort();
    expect(found).toEqual([...Array<number>(5).fill(400), ...Array<number>(7).fill(429)]);
  });

  it.each([
    ['59 minutes', false],
    ['61 minutes', true],
  ])('is accepted if the wrong attempts were %s ago: %s', async (age, room) => {
    const number = await answering();
    for (let nth = 1; nth <= limits.wrongPinsPerHour; nth += 1) await refusal(ring(number, '654321'));
    await under.db.query({
      text: `update phone_pin_attempts
             set attempts = array(select one - $2::interval from unnest(attempts) one) where phone_number = $1`,
      values: [number.to, age],
    });
    if (room) expect((await ring(number, pin)).action).toBe('answer');
    else expect(await refusal(ring(number, pin))).toEqual(tooMany);
  });

  it('is not checked again if the gateway repeats a routed call', async () => {
    const number = await answering();
    const first = await ring(number, pin, telephony, 'again');
    under.fakes.drafts.clear();
    expect((await ring(number, pin, second, 'again')).call).toEqual(first.call);
  });
});

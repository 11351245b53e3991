import { routes } from '@parley/contract';
import { newId, serviceCaller, type Caller } from '@parley/runtime';
import { twilioSignature } from '../src/network/carriers/twilio/signature';
import { addNumber, claimOne, complete, freshNumber, place, read, report } from './test-caller';
import { gatewayCaller, hostedGateway, ringAt } from './gateway-of';
import { storeAccount } from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const from = '+4930123456';
const notFound = [404, 'NotFoundError'];
const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };

/** Which calls a media gateway can access. */
describe('access of media gateways to calls', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  async function answering() {
    const agent = under.fakes.addAgent();
    const to = await addNumber(telephony, agent, freshNumber(), { inboundAgentId: agent.agentId });
    return { agent, to, organizationId: agent.organizationId };
  }

  const configuration = (caller: Caller, callId: string) =>
    telephony.request(routes.getCallConfiguration, { caller, params: { call_id: callId } });
  const lifecycle = (caller: Caller, callId: string, seq: number, ...types: string[]) => {
    const reason = (type: string) => (type === 'ended' ? 'callee_hung_up' : type === 'failed' ? 'busy' : undefined);
    const events = types.map((type) => ({ type, ended_reason: reason(type) }));
    const body = { seq, events };
    return telephony.request(routes.reportGatewayCall, { caller, params: { call_id: callId }, body });
  };
  const artifacts = (caller: Caller, callId: string) =>
    telephony.request(routes.putCallArtifacts, { caller, params: { call_id: callId }, body: { transcript } });
  const authorize = (caller: Caller, callId: string) =>
    telephony.request(routes.authorizeOutboundCall, { caller, params: { call_id: callId } });

  it('a token of another deployment gets 404 for a call; another token of the same deployment has access', async () => {
    const { to, organizationId } = await answering();
    const own = gatewayCaller(organizationId, 'frankfurt-1');
    const rotated = { ...own, keyId: newId('key') };
    const unbound: Caller = { ...rotated, deployment: undefined };
    const { call } = await ringAt(telephony, own, { to, from, gateway_call_id: 'CA-1' });
    for (const other of [gatewayCaller(organizationId, 'frankfurt-2'), unbound, hostedGateway]) {
      for (const attempt of [
        () => configuration(other, call.call_id),
        () => lifecycle(other, call.call_id, 1, 'answered'),
      ]) {
        expect(await refusal(attempt())).toEqual(notFound);
      }
    }
    expect(await refusal(artifacts(gatewayCaller(organizationId, 'frankfurt-2'), call.call_id))).toEqual(notFound);
    expect((await configuration(rotated, call.call_id)).body.call.call_id).toBe(call.call_id);
    expect((await lifecycle(rotated, call.call_id, 1, 'answered')).body.call_status).toBe('answered');
    expect((await lifecycle(own, call.call_id, 2, 'ended')).body.call_status).toBe('completed');
    expect((await artifacts(rotated, call.call_id)).body.status).toBe('completed');
  });

  it('two deployments may use the same gateway_call_id for different calls', async () => {
    const { to, organizationId } = await answering();
    const ring = (caller: Caller) => ringAt(telephony, caller, { to, from, gateway_call_id: 'CA-both' });
    const calls = [
      await ring(gatewayCaller(organizationId, 'one')),
      await ring(gatewayCaller(organizationId, 'two')),
      await ring(hostedGateway),
    ];
    expect(new Set(calls.map(({ call }) => call.call_id)).size).toBe(3);
    expect(await ring(gatewayCaller(organizationId, 'two'))).toEqual(calls[1]);
  });

  it('a call connected by a carrier webhook belongs to the first deployment that reads its configuration', async () => {
    const url = 'https://voice.example/v1/carriers/twilio/calls';
    const { agent, to, organizationId } = await answering();
    const account = { accountSid: `AC${organizationId}`, authToken: 'token' };
    await storeAccount(telephony, organizationId, account);
    const ring = async (callSid: string): Promise<string> => {
      const form = { AccountSid: account.accountSid, CallSid: callSid, To: to, From: from, CallStatus: 'ringing' };
      await telephony.client.receiveCarrierCall(
        { provider: 'twilio', url, form, signature: twilioSignature(account.authToken, url, form) },
        { requestId: 'test', caller: serviceCaller },
      );
      const { rows } = await under.db.query<{ call_id: string }>({
        text: 'select call_id from inbound_calls where organization_id = $1 and gateway_call_id = $2',
        values: [organizationId, callSid],
      });
      return rows[0]?.call_id ?? '';
    };
    const [one, two] = [gatewayCaller(organizationId, 'one'), gatewayCaller(organizationId, 'two')];
    const callId = await ring('CA1');
    await configuration(one, callId);
    expect(await refusal(configuration(two, callId))).toEqual(notFound);
    expect((await lifecycle(one, callId, 1, 'answered')).body.call_status).toBe('answered');

    const over = await ring('CA2');
    await under.db.query({
      text: `update jobs set state = 'done', lease_expires_at = null where call_id = $1`,
      values: [over],
    });
    expect(await refusal(configuration(one, over))).toEqual(notFound);
    expect(agent.organizationId).toBe(organizationId);
  });

  it("an organization's gateway can never read, report or authorize an outbound call", async () => {
    const { agent, organizationId } = await answering();
    const caller = gatewayCaller(organizationId);
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    for (const step of [() => Promise.resolve({}), () => report(telephony, job, 1, 'dialing', 'answered')]) {
      await step();
      expect(await refusal(configuration(caller, call.call_id))).toEqual(notFound);
      expect(await refusal(lifecycle(caller, call.call_id, 1, 'ended'))).toEqual(notFound);
      expect(await refusal(artifacts(caller, call.call_id))).toEqual(notFound);
      expect(await refusal(authorize(caller, call.call_id))).toEqual([403, 'ForbiddenError']);
    }
    await report(telephony, job, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
    await complete(telephony, job);
  });

  it('the hosted gateway can report an outbound call after authorizing it, in parallel to its worker', async () => {
    const { agent } = await answering();
    const { call } = await place(telephony, agent);
    const callId = call.call_id;
    const job = await claimOne(telephony);
    // No one may be dialed before the permit.
    expect(await refusal(authorize(hostedGateway, callId))).toEqual([409, 'ConflictError']);
    await report(telephony, job, 1, 'dialing');
    expect(await refusal(lifecycle(hostedGateway, callId, 1, 'answered'))).toEqual(notFound);
    expect((await authorize(hostedGateway, callId)).body).toMatchObject({ call_id: callId, status: 'dialing' });
    expect((await authorize(hostedGateway, callId)).body.call_id).toBe(callId);
    expect(await refusal(configuration(hostedGateway, callId))).toEqual(notFound);
    expect((await lifecycle(hostedGateway, callId, 1, 'answered')).body.call_status).toBe('answered');
    // The gateway's sequence numbers are independent of the worker's.
    expect((await report(telephony, job, 1, 'dialing')).call_status).toBe('dialing');
    expect((await lifecycle(hostedGateway, callId, 2, 'ended')).body.call_status).toBe('ended');
    expect(await read(telephony, agent, callId)).toMatchObject({ status: 'ended', ended_reason: 'callee_hung_up' });
    expect(await complete(telephony, job)).toEqual({ call_status: 'completed' });
    expect((await lifecycle(hostedGateway, callId, 3, 'answered')).body.call_status).toBe('completed');
    expect(await refusal(authorize(hostedGateway, callId))).toEqual([409, 'ConflictError']);
  });

  it.each([
    ['an incoming call', async () => (await ringAt(telephony, hostedGateway, await ringing())).call.call_id],
    ['an unknown call', () => Promise.resolve(newId('call'))],
    ['a malformed call id', () => Promise.resolve('call_1')],
  ])('authorizing %s gets 404', async (_what, callOf) => {
    expect(await refusal(authorize(hostedGateway, await callOf()))).toEqual(notFound);
  });

  const ringing = async () => ({ to: (await answering()).to, from, gateway_call_id: newId('call') });
});

import { routes, type CallRecord } from '@parley/contract';
import { newId, serviceCaller } from '@parley/runtime';
import type { AgentForCall } from '@parley/proto/agents';
import { eventually, customerCaller } from '@parley/testing';
import { twilioSignature } from '../src/network/carriers/twilio/signature';
import { addNumber, freshNumber } from './test-caller';
import { tellOf } from './gateway-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const url = 'https://voice.example/v1/carriers/twilio/calls';
const authToken = 'token-of-the-account';
const from = '+4930123456';

describe('the voice webhook of Twilio', () => {
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

  const newAccount = (): string => `AC${(named += 1)}`;

  const store = (organizationId: string, account: string, token = authToken, key = '') => {
    const body = { organization_id: organizationId, provider: 'twilio', account_sid: account, auth_token: token };
    return telephony.request(routes.createCarrierCredential, { caller: customerCaller(organizationId), body, key });
  };

  /** An agent that answers a number, and its organization's carrier account. */
  const answering = async (change: Partial<AgentForCall> = {}, account = newAccount()) => {
    const agent = under.fakes.addAgent(change);
    const { organizationId } = agent;
    const to = await addNumber(telephony, agent);
    await under.db.query({
      text: 'update numbers set inbound_agent_id = $2 where organization_id = $1',
      values: [organizationId, agent.agentId],
    });
    await store(organizationId, account);
    return { agent, organizationId, to, account };
  };

  interface Rung {
    readonly account: string;
    readonly to: string;
    readonly callSid?: string;
    readonly from?: string;
    readonly token?: string;
    readonly at?: Instance;
  }
  const ring = async ({
    account,
    to,
    callSid = `CA${(named += 1)}`,
    token = authToken,
    at = telephony,
    ...rest
  }: Rung) => {
    const form = { AccountSid: account, CallSid: callSid, To: to, From: rest.from ?? from, CallStatus: 'ringing' };
    const signature = twilioSignature(token, url, form);
    return (
      await at.client.receiveCarrierCall(
        { provider: 'twilio', url, form, signature },
        { requestId: 'test', caller: serviceCaller },
      )
    ).body;
  };

  const callsOf = async (organizationId: string): Promise<CallRecord[]> => {
    const { body } = await telephony.request(routes.listCalls, { caller: customerCaller(organizationId) });
    return body.data as CallRecord[];
  };

  it('connects the call to the media gateway with its call_id; the same CallSid, repeated on two instances, is one call', async () => {
    const { agent, organizationId, to, account } = await answering();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => ring({ account, to, callSid: 'CA-once', at: n % 2 ? second : telephony })),
    );
    const [call, ...others] = await callsOf(organizationId);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ direction: 'inbound', status: 'dialing', from, to, agent_id: agent.agentId });
    expect(new Set(answers)).toEqual(
      new Set([
        `<?xml version="1.0" encoding="UTF-8"?><Response><Connect><Stream url="wss://media.example/calls?region=eu&amp;v=1">` +
          `<Parameter name="call_id" value="${call?.call_id}"/></Stream></Connect></Response>`,
      ]),
    );
    // A webhook with the same CallSid and other numbers is refused.
    expect(await refusal(ring({ account, to, callSid: 'CA-once', from: '+4930999999' }))).toEqual([
      409,
      'ConflictError',
    ]);
    const line = { organizationId, callId: call?.call_id ?? '' };
    await tellOf(telephony, line, 1, { type: 'failed', ended_reason: 'busy' });
    expect(await ring({ account, to, callSid: 'CA-once' })).toContain('<Reject');
  });

  it.each<[string, (known: { to: string; account: string }) => Rung]>([
    ['another token', (known) => ({ ...known, token: 'another' })],
    ['an unknown account', (known) => ({ ...known, account: 'AC-of-unknown' })],
    ['no account', (known) => ({ ...known, account: '' })],
  ])('with %s gets 401 and creates no call', async (_what, changed) => {
    const known = await answering();
    expect(await refusal(ring(changed(known)))).toEqual([401, 'UnauthorizedError']);
    expect(await callsOf(known.organizationId)).toEqual([]);
  });

  it.each([{ To: 'client:bob' }, { To: '' }, { CallSid: '' }])(
    'with a valid signature and %j gets 400',
    async (change) => {
      const { to, account } = await answering();
      const form = { AccountSid: account, CallSid: 'CA-x', To: to, From: from, ...change };
      const webhook = { provider: 'twilio', url, form, signature: twilioSignature(authToken, url, form) };
      const asked = telephony.client.receiveCarrierCall(webhook, { requestId: 'test', caller: serviceCaller });
      expect(await refusal(asked)).toEqual([400, 'BadRequestError']);
    },
  );

  const rejected = async (organizationId: string, account: string, to: string, reason: string) => {
    expect(await ring({ account, to })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Reject reason="rejected"/></Response>',
    );
    const [call] = await callsOf(organizationId);
    expect(call).toMatchObject({ status: 'failed', ended_reason: reason, to, cost: { amount_micros: 0 } });
  };

  it("rejects calls to unknown numbers and to another organization's, recorded with the organization of the account", async () => {
    const { organizationId, account } = await answering();
    const stranger = await answering();
    await rejected(organizationId, account, freshNumber(), 'number_not_in_workspace');
    await rejected(organizationId, account, stranger.to, 'number_not_in_workspace');
    expect(await callsOf(stranger.organizationId)).toEqual([]);
  });

  it('rejects a call for an inactive agent as agent_inactive', async () => {
    const { organizationId, account, to } = await answering({ status: 'inactive' });
    await rejected(organizationId, account, to, 'agent_inactive');
  });

  it('rejects calls during maintenance at every instance as platform_maintenance', async () => {
    const { organizationId, account, to } = await answering();
    under.fakes.control.maintenance = true;
    try {
      for (const at of [telephony, second]) {
        await eventually(async () => ((await ring({ account, to, at })).includes('<Reject') ? true : undefined));
      }
      await rejected(organizationId, account, to, 'platform_maintenance');
    } finally {
      under.fakes.control.maintenance = false;
    }
    await eventually(async () => ((await ring({ account, to })).includes('<Connect') ? true : undefined));
  });

  it('rejects a call as capacity_unavailable without a media gateway', async () => {
    const alone = await under.start({ mediaStreamUrl: undefined });
    const { organizationId, account, to } = await answering();
    expect(await ring({ account, to, at: alone })).toContain('<Reject');
    expect(await callsOf(organizationId)).toMatchObject([{ ended_reason: 'capacity_unavailable' }]);
  });

  it("for an account shared by two organizations uses the number's organization; another token of the account does not reach it", async () => {
    const first = await answering();
    const sharing = await answering({}, first.account);
    const squatter = under.fakes.addAgent().organizationId;
    await store(squatter, first.account, 'a token of its own');
    expect(await ring({ account: first.account, to: sharing.to })).toContain('<Connect');
    expect(await callsOf(first.organizationId)).toEqual([]);
    expect(await callsOf(sharing.organizationId)).toMatchObject([{ status: 'dialing' }]);
    await ring({ account: first.account, to: first.to, token: 'a token of its own' });
    expect(await callsOf(first.organizationId)).toEqual([]);
    expect(await callsOf(squatter)).toMatchObject([{ ended_reason: 'number_not_in_workspace' }]);
  });

  it('the account token is stored encrypted and never returned; storing the account again replaces it; both are audited', async () => {
    const { organizationId, account, to } = await answering();
    const again = await store(organizationId, account, 'the next token', 'k');
    expect((await store(organizationId, account, 'the next token', 'k')).replayed).toBe(true);
    expect(again.body).toEqual({
      carrier_credential_id: expect.stringMatching(/^cred_/) as unknown,
      organization_id: organizationId,
      provider: 'twilio',
      account_sid: account,
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
    });
    expect(await refusal(ring({ account, to }))).toEqual([401, 'UnauthorizedError']);
    expect(await ring({ account, to, token: 'the next token' })).toContain('<Connect');
    const listed = await telephony.request(routes.listCarrierCredentials, { caller: customerCaller(organizationId) });
    expect(listed.body).toEqual({ data: [again.body], next_cursor: null });
    const params = { carrier_credential_id: (again.body as { carrier_credential_id: string }).carrier_credential_id };
    const read = (caller: string) =>
      telephony.request(routes.getCarrierCredential, { caller: customerCaller(caller), params });
    expect((await read(organizationId)).body).toEqual(again.body);
    expect(await refusal(read(newId('org')))).toEqual([404, 'NotFoundError']);
    const { rows } = await under.db.query<{ action: string; whole: string }>({
      text: `select payload::json ->> 'action' as action, payload as whole from outbox where subject = $1 and payload not like '%"number.%' order by position`,
      values: [`audit.v1.${organizationId}`],
    });
    expect(rows.map(({ action }) => action)).toEqual(['carrier_credential.created', 'carrier_credential.replaced']);
    const stored = await under.db.query<{ text: string }>({
      text: 'select c::text as text from carrier_credentials c where organization_id = $1',
      values: [organizationId],
    });
    const hex = Buffer.from('the next token').toString('hex');
    for (const text of [...rows.map(({ whole }) => whole), ...stored.rows.map((row) => row.text)]) {
      expect(text).not.toMatch(new RegExp(`the next token|${hex}`));
    }
  });
});

import { routes, type CallRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, eventually } from '@parley/testing';
import { twilioSignature } from '../src/network/carriers/twilio/signature';
import { complete, freshNumber, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { account, adopt, callAt, slots, WebhookDoor, withLine, type Dialing } from './lines-of';
import { storeAccount } from './test-messages';
import { topUpWallet, walletOf } from './organization-of';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { TwilioProtocolCarrier } from './twilio/carrier';

const busy = 'All engines are busy. Call later.';
/** 29 minutes at 60,000 micro-USD. */
const hold = 1_740_000;

describe('inbound calls through a Twilio account, without a media gateway', () => {
  const door = new WebhookDoor();
  let carrier: TwilioProtocolCarrier;
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    under = await telephonyUnderTest();
    const settings = {
      twilioApiUrl: carrier.url,
      publicUrl: await door.start(),
      mediaStreamUrl: undefined,
      workerLeaseSeconds: 300,
      linesBusyMessage: busy,
    };
    telephony = await under.start(settings);
    second = await under.start(settings);
    door.to = telephony;
  });
  afterAll(async () => {
    expect(await carrier.violations()).toEqual([]);
    await under.stop();
    await door.stop();
    await carrier.stop();
  });
  beforeEach(async () => {
    await under.db.query({ text: 'delete from adopting_workers' });
    await slots(telephony, 10);
  });

  /** An agent that answers a number. */
  const answering = async (
    change: Partial<AgentForCall> = {},
    billing: 'prepaid' | 'unmetered' = 'unmetered',
  ): Promise<Dialing> => {
    const line = await withLine(under, telephony, change, billing);
    await under.db.query({
      text: 'update numbers set inbound_agent_id = $2 where organization_id = $1',
      values: [line.agent.organizationId, line.agent.agentId],
    });
    return line;
  };

  const ring = (to: string, from = freshNumber()) =>
    carrier.ring({
      to,
      from,
      scenario: { media: false },
      voiceUrl: `${door.url}/v1/carriers/twilio/calls`,
      statusUrl: `${door.url}/v1/carriers/twilio/call-statuses`,
    });

  const callsOf = async ({ agent }: Dialing): Promise<readonly CallRecord[]> =>
    (await telephony.request(routes.listCalls, { caller: customerCaller(agent.organizationId) })).body
      .data as CallRecord[];

  const over = (line: Dialing): Promise<CallRecord> =>
    eventually(async () =>
      (await callsOf(line)).find(({ status }) => ['completed', 'failed', 'canceled'].includes(status)),
    );

  it('are adopted by a worker with the token of the media stream, and hung up after the worker ends them', async () => {
    const line = await answering();
    const { sid } = await ring(line.from);
    const { tokens } = await callAt(carrier, line.from, (call) => call.tokens.length > 0);
    const job = await adopt(second, tokens[0] ?? '');
    expect(job.call).toMatchObject({
      direction: 'inbound',
      status: 'dialing',
      to: line.from,
      carrier: 'twilio',
      simulated: false,
    });
    await report(telephony, job, 1, 'answered', 'media_started');
    await report(second, job, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
    await complete(telephony, job);
    await carrier.act('stream-ended', sid);
    await callAt(carrier, line.from, ({ status }) => status === 'completed');
    expect(await over(line)).toMatchObject({ status: 'completed', ended_reason: 'agent_hung_up' });
    expect(await callsOf(line)).toHaveLength(1);
  });

  it.each([
    ['', { from: null, from_raw: null }],
    ['Anonymous', { from: null, from_raw: 'Anonymous' }],
    ['Restricted', { from: null, from_raw: 'Restricted' }],
    ['+266696687', { from: null, from_raw: '+266696687' }],
    ['client:ann', { from: null, from_raw: 'client:ann' }],
    ['a\0b', { from: null, from_raw: 'a\ufffdb' }],
    ['x'.repeat(1000), { from: null, from_raw: 'x'.repeat(128) }],
    ['+14155550123', { from: '+14155550123', from_raw: null }],
  ])('one from %j is taken, and only a number is its caller', async (from, caller) => {
    const line = await answering();
    const { sid } = await ring(line.from, from);
    await callAt(carrier, line.from, ({ tokens }) => tokens.length > 0);
    expect(await callsOf(line)).toMatchObject([{ status: 'dialing', ...caller }]);
    // Its slot becomes free.
    await carrier.act('hang-up', sid);
    await over(line);
  });

  it.each<[string, Partial<AgentForCall>, string]>([
    ['whose agent is inactive', { status: 'inactive' }, 'agent_inactive'],
    ['whose agent is suspended', { status: 'suspended' }, 'suspended'],
    ['whose agent configuration no worker supports', { mode: 'no_such_mode' }, 'configuration_not_runnable'],
  ])('one %s is rejected without being answered', async (_what, change, reason) => {
    const line = await answering(change);
    await ring(line.from);
    const { streams, says } = await callAt(carrier, line.from, ({ status }) => status === 'busy');
    expect([streams, says]).toEqual([0, []]);
    expect(await over(line)).toMatchObject({ status: 'failed', ended_reason: reason });
  });

  it('one during maintenance fails as platform_maintenance and costs nothing', async () => {
    const line = await answering({}, 'prepaid');
    const { organizationId } = line.agent;
    await topUpWallet(telephony, organizationId, { amount_micros: hold });
    under.fakes.control.maintenance = true;
    try {
      await eventually(async () => {
        await ring(line.from);
        return (await callsOf(line)).find(({ ended_reason: reason }) => reason === 'platform_maintenance');
      });
    } finally {
      under.fakes.control.maintenance = false;
    }
    await eventually(async () => {
      for (const { sid } of await carrier.calls(line.from)) await carrier.act('hang-up', sid);
      return (await walletOf(telephony, organizationId))[1] === 0 ? true : undefined;
    });
    expect(await walletOf(telephony, organizationId)).toEqual([hold, 0, hold]);
  });

  it('one that the wallet does not cover is rejected as insufficient_balance', async () => {
    const line = await answering({}, 'prepaid');
    await topUpWallet(telephony, line.agent.organizationId, { amount_micros: hold - 1 });
    // The end of the previous test's maintenance window may not be known yet.
    await eventually(async () => {
      await ring(line.from);
      return (await callsOf(line)).find(({ ended_reason: reason }) => reason === 'insufficient_balance');
    });
    await callAt(carrier, line.from, ({ status }) => status === 'busy');
  });

  it('one to an unknown number of the account is rejected as busy, and creates no call of the organization', async () => {
    const line = await answering();
    const unknown = freshNumber();
    await ring(unknown);
    await callAt(carrier, unknown, ({ status }) => status === 'busy');
    expect(await callsOf(line)).toEqual([]);
  });

  it('one keeps ringing while no worker has a free slot, and is connected when one has', async () => {
    await slots(telephony, 0);
    const line = await answering();
    await ring(line.from);
    await eventually(async () => (await callsOf(line)).at(0));
    expect(await callAt(carrier, line.from)).toMatchObject({ status: 'ringing', streams: 0 });
    await slots(telephony, 1);
    const { tokens } = await callAt(carrier, line.from, (call) => call.tokens.length > 0);
    expect((await adopt(telephony, tokens[0] ?? '')).call).toMatchObject({ to: line.from });
  });

  it('one hears the busy message and fails as capacity_unavailable if no worker has a slot within the ringing time', async () => {
    await slots(telephony, 0);
    const line = await answering();
    await ring(line.from);
    const [call] = await eventually(async () => {
      const calls = await callsOf(line);
      return calls.length > 0 ? calls : undefined;
    });
    await under.db.query({
      text: `update carrier_lines set ring_until = now() - interval '1 second' where call_id = $1`,
      values: [call?.call_id],
    });
    const { says } = await callAt(carrier, line.from, ({ status }) => status === 'completed');
    expect(says).toEqual([busy]);
    expect(await over(line)).toMatchObject({
      status: 'failed',
      ended_reason: 'capacity_unavailable',
      reason_detail: 'no_engine',
      cost: { amount_micros: 0 },
    });
  });

  it('one whose caller hangs up while it rings ends as canceled', async () => {
    await slots(telephony, 0);
    const line = await answering();
    const { sid } = await ring(line.from);
    await eventually(async () => (await callsOf(line)).at(0));
    await carrier.act('hang-up', sid);
    expect(await over(line)).toMatchObject({ status: 'canceled', ended_reason: 'canceled' });
  });

  it('one is rejected as capacity_unavailable if no worker seen in the last week supports the carrier', async () => {
    const line = await answering();
    await under.db.query({ text: 'delete from worker_capabilities' });
    await declareWorkers(under.db, { ...hostedCapabilities, carriers: ['simulator'] });
    const api = { twilioApiUrl: carrier.url };
    const fresh = await under.start({ publicUrl: door.url, mediaStreamUrl: undefined, ...api });
    door.to = fresh;
    try {
      await ring(line.from);
      expect(await over(line)).toMatchObject({ status: 'failed', ended_reason: 'capacity_unavailable' });
    } finally {
      door.to = telephony;
      await declareWorkers(under.db);
      await fresh.stop();
    }
  });

  it("webhooks signed by another organization's account do not affect the call, even with its call_id", async () => {
    const line = await answering();
    const { sid } = await ring(line.from);
    const { tokens } = await callAt(carrier, line.from, (call) => call.tokens.length > 0);
    const [record] = await callsOf(line);
    const stranger = under.fakes.addAgent().organizationId;
    const other = { accountSid: `AC${'9'.repeat(32)}`, authToken: 'of-the-stranger' };
    await storeAccount(telephony, stranger, other);
    for (const [path, status] of [
      ['call-statuses', 404],
      ['calls', 200],
    ] as const) {
      const url = `${door.url}/v1/carriers/twilio/${path}?call_id=${record?.call_id ?? ''}`;
      const form = {
        AccountSid: other.accountSid,
        CallSid: sid,
        CallStatus: 'completed',
        To: line.from,
        From: '+14155550100',
      };
      const headers = { 'X-Twilio-Signature': twilioSignature(other.authToken, url, form) };
      const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
      expect(answer.status).toBe(status);
      expect(await answer.text()).not.toContain('Stream');
    }
    expect((await adopt(telephony, tokens[0] ?? '')).call).toMatchObject({ call_id: record?.call_id });
  });
});

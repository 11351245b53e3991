import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { permitMessages } from '../src/messages/message-jobs.cross-tenant.sql';
import { freshNumber, addNumber } from './test-caller';
import {
  baseUrl,
  eventsOf,
  listMessages,
  messageIn,
  readMessage,
  send,
  storeAccount,
  webhook,
  type WebhookOptions,
} from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { LocalTwilioProtocolServer } from './twilio-server';

const account = { accountSid: 'AC0123', authToken: 'twilio-secret' };

describe('messages through a Twilio account, against a local server with the Twilio protocol', () => {
  const carrier = new LocalTwilioProtocolServer();
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;
  let settings: Parameters<UnderTest['start']>[0];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    const api = { twilioApiUrl: await carrier.start() };
    settings = { ...api, publicUrl: `${baseUrl}/`, messageStatusTimeoutSeconds: 3600 };
    telephony = await under.start(settings);
    second = await under.start(settings);
  });
  afterAll(async () => {
    await under.stop();
    await carrier.stop();
  });

  async function prepared(stored = true): Promise<{ agent: AgentForCall; to: string; from: string }> {
    const agent = under.fakes.addAgent();
    const from = await addNumber(telephony, agent, freshNumber(), { provider: 'twilio' });
    if (stored) await storeAccount(telephony, agent.organizationId, account);
    return { agent, to: freshNumber(), from };
  }

  const report = (messageId: string, fields: Record<string, string>, options: WebhookOptions = {}) => {
    const { query = `?message_id=${messageId}` } = options;
    const given = { kind: 'statuses', token: account.authToken, ...options, carrier: 'twilio', query } as const;
    return webhook(second, given, { AccountSid: account.accountSid, ...fields });
  };

  const jobOf = async (messageId: string) => {
    const { rows } = await under.db.query<{ state: string; attempts: number }>({
      text: 'select state, attempts from message_jobs where message_id = $1',
      values: [messageId],
    });
    return rows[0];
  };

  const dueNow = (messageId: string) =>
    under.db.query({ text: 'update message_jobs set due_at = now() where message_id = $1', values: [messageId] });

  it('sends a message once, and updates it by signed status callbacks; repeated and late ones change nothing', async () => {
    const { agent, to, from } = await prepared();
    const { message } = await send(telephony, agent, { body: { to, body: 'Grüße & mehr' } });
    const id = message.message_id;
    const sent = await messageIn(telephony, agent, id, 'sent');
    expect(carrier.to(to)).toEqual([
      {
        path: '/2010-04-01/Accounts/AC0123/Messages.json',
        authorization: `Basic ${Buffer.from('AC0123:twilio-secret').toString('base64')}`,
        form: expect.anything() as URLSearchParams,
      },
    ]);
    expect(Object.fromEntries(carrier.to(to)[0]?.form ?? [])).toEqual({
      To: to,
      From: from,
      Body: 'Grüße & mehr',
      StatusCallback: `${baseUrl}/v1/carriers/twilio/statuses?message_id=${id}`,
    });
    const MessageSid = sent.carrier_message_id ?? '';
    await report(id, { MessageSid, MessageStatus: 'sending' });
    await report(id, { MessageSid, MessageStatus: 'delivered' });
    // Repeated and late status callbacks change nothing.
    await report(id, { MessageSid, MessageStatus: 'delivered' });
    await report(id, { MessageSid, MessageStatus: 'sent' });
    await report(id, { MessageSid, MessageStatus: 'undelivered', ErrorCode: '30003' });
    expect(await readMessage(telephony, agent, id)).toMatchObject({ status: 'delivered', error: null });
    expect((await eventsOf(under, id)).map(({ type }) => type)).toEqual(['sms.sent', 'sms.delivery_updated']);
  });

  it.each([
    ['undelivered', 'undelivered'],
    ['failed', 'failed'],
  ] as const)(
    "a status callback %s ends the message as %s with the carrier's error code",
    async (MessageStatus, status) => {
      const { agent, to } = await prepared();
      const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
      const { carrier_message_id: MessageSid } = await messageIn(telephony, agent, id, 'sent');
      await report(id, { MessageSid: MessageSid ?? '', MessageStatus, ErrorCode: '30003' });
      expect(await readMessage(telephony, agent, id)).toMatchObject({ status, error: { code: '30003' } });
    },
  );

  it('status callbacks are accepted during maintenance', async () => {
    const { agent, to } = await prepared();
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    const { carrier_message_id: MessageSid } = await messageIn(telephony, agent, id, 'sent');
    under.fakes.control.maintenance = true;
    under.fakes.control.epoch += 1;
    try {
      await report(id, { MessageSid: MessageSid ?? '', MessageStatus: 'delivered' });
      expect((await readMessage(telephony, agent, id)).status).toBe('delivered');
    } finally {
      under.fakes.control.maintenance = false;
      under.fakes.control.epoch += 1;
    }
  });

  it("a status callback without message_id finds the message by the carrier's id; an unknown one gets 404", async () => {
    const { agent, to } = await prepared();
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    const { carrier_message_id: MessageSid } = await messageIn(telephony, agent, id, 'sent');
    await report(id, { MessageSid: MessageSid ?? '', MessageStatus: 'delivered' }, { query: '' });
    expect((await readMessage(telephony, agent, id)).status).toBe('delivered');
    const unknown = { MessageSid: 'SMunknown', MessageStatus: 'delivered' };
    for (const query of ['', `?message_id=${newId('msg')}`, `?message_id=${id}`]) {
      expect(await refusal(report(id, unknown, { query }))).toEqual([404, 'NotFoundError']);
    }
  });

  it.each([
    ['a wrong signature', { signature: 'AAAA' }],
    ['no signature', { signature: '' }],
    ['a signature with another token', { token: 'other' }],
  ])('a status callback with %s gets 401 and changes nothing', async (_, options) => {
    const { agent, to } = await prepared();
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    const { carrier_message_id: MessageSid } = await messageIn(telephony, agent, id, 'sent');
    const fields = { MessageSid: MessageSid ?? '', MessageStatus: 'delivered' };
    expect(await refusal(report(id, fields, options))).toEqual([401, 'UnauthorizedError']);
    expect((await readMessage(telephony, agent, id)).status).toBe('sent');
  });

  it("a message that the carrier rejects fails with the carrier's error code, without a retry", async () => {
    const { agent, to } = await prepared();
    carrier.answers.set(to, { status: 400, body: { code: 21211, message: 'Invalid To' } });
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    expect(await messageIn(telephony, agent, id, 'failed')).toMatchObject({
      error: { code: '21211', detail: 'Invalid To' },
      cost: { amount_micros: 0 },
    });
    expect(carrier.to(to)).toHaveLength(1);
    expect(await jobOf(id)).toBeUndefined();
  });

  it('a message that gets 429 is sent again after Retry-After, but not if the number was suppressed meanwhile', async () => {
    const { agent, to } = await prepared();
    carrier.answers.set(to, { status: 429, body: { code: 20429 }, headers: { 'Retry-After': '3600' } });
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    await eventually(async () =>
      carrier.to(to).length === 1 && (await jobOf(id))?.state === 'queued' ? true : undefined,
    );
    carrier.answers.delete(to);
    await dueNow(id);
    await messageIn(telephony, agent, id, 'sent');
    expect(carrier.to(to)).toHaveLength(2);

    // The zero is only for calls inside the country.
    const [suppressed, other] = ['+493012345678', '+4903012345678'];
    carrier.answers.set(other, { status: 429, body: {}, headers: { 'Retry-After': '3600' } });
    const late = (await send(telephony, agent, { body: { to: other } })).message.message_id;
    await eventually(async () =>
      carrier.to(other).length === 1 && (await jobOf(late))?.state === 'queued' ? true : undefined,
    );
    await under.db.query({
      text: 'insert into suppressions (organization_id, phone_number) values ($1, $2)',
      values: [agent.organizationId, suppressed],
    });
    await dueNow(late);
    expect(await messageIn(telephony, agent, late, 'failed')).toMatchObject({ error: { code: 'suppressed' } });
    expect(carrier.to(other)).toHaveLength(1);
  });

  it.each([
    ['cuts the connection', 'cut' as const],
    ['answers 500', { status: 500, body: {} }],
    ['answers without a sid', { status: 201, body: {} }],
  ])('if the carrier %s, the message is not sent again; a status callback decides its status', async (_, answer) => {
    const { agent, to } = await prepared();
    carrier.answers.set(to, answer);
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    await eventually(async () => ((await jobOf(id))?.state === 'unknown' ? true : undefined));
    expect((await readMessage(telephony, agent, id)).status).toBe('queued');
    await report(id, { MessageSid: `SM${id}`, MessageStatus: 'delivered' });
    expect(await readMessage(telephony, agent, id)).toMatchObject({
      status: 'delivered',
      carrier_message_id: `SM${id}`,
    });
    expect((await eventsOf(under, id)).map(({ type }) => type)).toEqual(['sms.sent', 'sms.delivery_updated']);
    expect(carrier.to(to)).toHaveLength(1);
    expect(await jobOf(id)).toBeUndefined();
  });

  it('a message without a carrier response and status callback fails as outcome_unknown, was sent once, and costs nothing', async () => {
    const { agent, to } = await prepared();
    carrier.answers.set(to, 'cut');
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    await eventually(async () => ((await jobOf(id))?.state === 'unknown' ? true : undefined));
    await dueNow(id);
    expect(await messageIn(telephony, agent, id, 'failed')).toMatchObject({
      error: { code: 'outcome_unknown' },
      cost: { amount_micros: 0 },
    });
    expect(carrier.to(to)).toHaveLength(1);
  });

  it('if an instance crashes while it sends a message, no instance sends the message again', async () => {
    const { agent, to } = await prepared();
    // The carrier accepts the message, but its response does not reach the process.
    carrier.answers.set(to, new Promise(() => undefined));
    const doomed = await under.start({ ...settings, carrierTimeoutMs: 60_000 });
    const { message_id: id } = (await send(doomed, agent, { body: { to } })).message;
    await eventually(() => (carrier.to(to).length === 1 ? true : undefined));
    expect(await jobOf(id)).toEqual({ state: 'sending', attempts: 1 });
    // Simulates a crash of the process that holds the permit: the permit expires.
    await dueNow(id);
    await eventually(async () => ((await jobOf(id))?.state === 'unknown' ? true : undefined));
    await dueNow(id);
    expect(await messageIn(telephony, agent, id, 'failed')).toMatchObject({ error: { code: 'outcome_unknown' } });
    expect(carrier.to(to)).toHaveLength(1);
    carrier.answers.delete(to);
    carrier['server'].closeAllConnections();
  });

  it('if an instance crashes while it sends through the simulator, which ignores duplicates, the message is sent again', async () => {
    const { agent } = await prepared();
    await under.db.query({
      text: `update numbers set provider = 'simulator' where organization_id = $1`,
      values: [agent.organizationId],
    });
    // No process sends while the test holds all permits.
    const { message_id: id } = (await send(telephony, agent)).message;
    await messageIn(telephony, agent, id, 'sent', 'delivered');
    await under.db.query({
      text: `with back as (update messages set status = 'queued', resource_seq = 0, sent_at = null, delivered_at = null,
               carrier_message_id = null where message_id = $1)
             insert into message_jobs (message_id, organization_id, agent_id, state, due_at, attempts)
             values ($1, $2, $3, 'sending', now(), 1)
             on conflict (message_id) do update set state = 'sending', due_at = now()`,
      values: [id, agent.organizationId, agent.agentId],
    });
    expect((await messageIn(second, agent, id, 'sent', 'delivered')).carrier_message_id).toBe(`SM${id.slice(4)}`);
  });

  it('without an account, and with several and a number of none, the message fails as carrier_not_configured; the only one is used, and a newer one changes nothing', async () => {
    const { agent, to, from } = await prepared(false);
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    expect(await messageIn(telephony, agent, id, 'failed')).toMatchObject({
      error: { code: 'carrier_not_configured' },
    });
    expect(carrier.to(to)).toEqual([]);
    const stores = (accountSid: string, authToken: string) =>
      storeAccount(telephony, agent.organizationId, { accountSid, authToken });
    const sends = async (body: object) => {
      const { message_id: sent } = (await send(telephony, agent, { body: { to, ...body } })).message;
      return messageIn(telephony, agent, sent, 'sent', 'failed');
    };
    // The last one replaces the token of the first one.
    const stored = [
      ['ACowner', 'first'],
      ['ACnewer', 'newer'],
      ['ACowner', 'rotated'],
    ] as const;
    for (const [accountSid, authToken] of stored) {
      await stores(accountSid, authToken);
      await sends({ from });
    }
    const ofOwner = (token: string) => `Basic ${Buffer.from(`ACowner:${token}`).toString('base64')}`;
    expect(carrier.to(to).map(({ authorization }) => authorization)).toEqual(
      ['first', 'first', 'rotated'].map((token) => ofOwner(token)),
    );
    const unproven = await addNumber(telephony, agent, freshNumber(), { provider: 'twilio' });
    expect(await sends({ from: unproven })).toMatchObject({ error: { code: 'carrier_not_configured' } });
    expect(carrier.to(to)).toHaveLength(3);
  });

  it("webhooks of another organization's account get 404; both organizations may have messages with the same MessageSid", async () => {
    const { agent, to, from } = await prepared();
    const { message_id: id } = (await send(telephony, agent, { body: { to } })).message;
    const { carrier_message_id: MessageSid } = await messageIn(telephony, agent, id, 'sent');
    const stranger = under.fakes.addAgent();
    const theirs = { accountSid: 'ACstranger', authToken: 'their-token' };
    await storeAccount(telephony, stranger.organizationId, theirs);
    const asStranger = { AccountSid: theirs.accountSid, MessageSid: MessageSid ?? '' };
    const options = { token: theirs.authToken };
    const wrong = report(id, { ...asStranger, MessageStatus: 'failed' }, options);
    expect(await refusal(wrong)).toEqual([404, 'NotFoundError']);
    const toOurs = { ...asStranger, From: '+14155550777', To: from, Body: 'STOP' };
    const written = webhook(telephony, { carrier: 'twilio', ...options }, toOurs);
    expect(await refusal(written)).toEqual([404, 'NotFoundError']);
    expect((await readMessage(telephony, agent, id)).status).toBe('sent');
    // A message id that another organization used first is still free here.
    const own = await addNumber(telephony, stranger, freshNumber(), { provider: 'twilio' });
    const incoming = { MessageSid: 'SMshared', From: '+14155550777', Body: 'Hi' };
    const theirForm = { ...incoming, AccountSid: theirs.accountSid, To: own };
    await webhook(telephony, { carrier: 'twilio', ...options }, theirForm);
    const ourForm = { ...incoming, AccountSid: account.accountSid, To: from };
    await webhook(telephony, { carrier: 'twilio', token: account.authToken }, ourForm);
    expect((await listMessages(telephony, agent.organizationId, { direction: 'inbound' })).data).toHaveLength(1);
  });

  it('permitMessages serves organizations in turn: 1,000 queued messages of one do not delay a message of another', async () => {
    const bare = await telephonyUnderTest();
    try {
      const insert = (organization: string, count: number) =>
        bare.db.query({
          text: `with made as (
                   insert into messages (message_id, organization_id, project_id, agent_id, direction, from_number, to_number,
                     status, resource_seq, body, segment_count, provider, policy_verdict, metadata, created_at, updated_at)
                   select $1 || '-' || n, $1, 'prj', 'agt', 'outbound', '+1', '+2', 'queued', 0, 'x', 1, 'simulator',
                     'allowed', '{}', now(), now() from generate_series(1, $2::integer) n returning message_id)
                 insert into message_jobs (message_id, organization_id, agent_id, due_at)
                 select message_id, $1, 'agt', now() from made`,
          values: [organization, count],
        });
      await insert('org_a', 1000);
      await insert('org_b', 1);
      const held = { heldOrganizations: [], heldAgents: [] };
      const permitted = await permitMessages(bare.db, { limit: 10, leaseSeconds: 60, ...held });
      expect(permitted.filter(({ message }) => message.organizationId === 'org_b')).toHaveLength(1);
      const others = await permitMessages(bare.db, {
        limit: 10,
        leaseSeconds: 60,
        heldOrganizations: ['org_a'],
        heldAgents: [],
      });
      expect(others).toEqual([]);
      expect(
        await permitMessages(bare.db, { limit: 10, leaseSeconds: 60, heldOrganizations: [], heldAgents: ['agt'] }),
      ).toEqual([]);
      const rest = await permitMessages(bare.db, { limit: 2000, leaseSeconds: 60, ...held });
      const ids = [...permitted, ...rest].map(({ message }) => message.messageId);
      expect(new Set(ids).size).toBe(1001);
    } finally {
      await bare.stop();
    }
  });
});

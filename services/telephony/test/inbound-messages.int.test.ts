import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { place, freshNumber, addNumber } from './test-caller';
import { eventsOf, listMessages, readMessage, send, webhook } from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('inbound messages', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    const settings = { simulatorWebhookToken: 'sim-token' };
    telephony = await under.start(settings);
    second = await under.start(settings);
  });
  afterAll(() => under.stop());

  async function prepared(attached = true): Promise<{ agent: AgentForCall; to: string }> {
    const agent = under.fakes.addAgent();
    const to = await addNumber(telephony, agent, freshNumber(), { inboundAgentId: attached ? agent.agentId : null });
    return { agent, to };
  }

  const sid = () => `SM${newId('msg').slice(4)}`;
  const receive = (fields: Record<string, string>, by: Instance = telephony) =>
    webhook(by, {}, { From: '+14155550777', Body: 'Hello there', ...fields });
  const received = async ({ organizationId }: AgentForCall) =>
    (await listMessages(telephony, organizationId, { direction: 'inbound' })).data;
  const suppressedOf = async ({ organizationId }: AgentForCall) => {
    const { rows } = await under.db.query<{ phone_number: string; reason: string }>({
      text: 'select phone_number, reason from suppressions where organization_id = $1',
      values: [organizationId],
    });
    return rows;
  };

  it("are stored with the number's agent, with one event", async () => {
    const { agent, to } = await prepared();
    const MessageSid = sid();
    await receive({ MessageSid, To: to, Body: 'Grüße 😀' });
    const [message, ...more] = await received(agent);
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      status: 'received',
      direction: 'inbound',
      from: '+14155550777',
      to,
      body: 'Grüße 😀',
      segment_count: 1,
      agent_id: agent.agentId,
      project_id: agent.projectId,
      carrier_message_id: MessageSid,
      received_at: expect.any(String) as string,
      cost: { amount_micros: 0 },
    });
    const events = await eventsOf(under, message?.message_id ?? '');
    expect(events.map(({ type, resource_seq }) => [type, resource_seq])).toEqual([['sms.received', 1]]);
    expect(events[0]?.data).toEqual(await readMessage(telephony, agent, message?.message_id ?? ''));
  });

  it('a MessageSid delivered several times on two instances is stored once', async () => {
    const { agent, to } = await prepared();
    const fields = { MessageSid: sid(), To: to };
    await Promise.all(Array.from({ length: 10 }, (_, index) => receive(fields, index % 2 ? telephony : second)));
    await receive(fields);
    const messages = await received(agent);
    expect(messages).toHaveLength(1);
    expect(await eventsOf(under, messages[0]?.message_id ?? '')).toHaveLength(1);
  });

  it('are also stored for a number without an agent, and for a suspended agent', async () => {
    const { agent, to } = await prepared(false);
    await receive({ MessageSid: sid(), To: to });
    expect(await received(agent)).toMatchObject([{ agent_id: null, project_id: agent.projectId }]);
    const { agent: other, to: theirs } = await prepared();
    Object.assign(other, { status: 'suspended' });
    await receive({ MessageSid: sid(), To: theirs });
    expect(await received(other)).toHaveLength(1);
  });

  it('are accepted during maintenance', async () => {
    const { agent, to } = await prepared();
    under.fakes.control.maintenance = true;
    under.fakes.control.epoch += 1;
    try {
      await receive({ MessageSid: sid(), To: to });
    } finally {
      under.fakes.control.maintenance = false;
      under.fakes.control.epoch += 1;
    }
    expect(await received(agent)).toHaveLength(1);
  });

  it('with a wrong or missing signature get 401 and are not stored', async () => {
    const { agent, to } = await prepared();
    const fields = { MessageSid: sid(), To: to, From: '+14155550777', Body: 'x' };
    for (const options of [{ token: 'other' }, { signature: '' }, { signature: 'AAAA' }]) {
      expect(await refusal(webhook(telephony, options, fields))).toEqual([401, 'UnauthorizedError']);
    }
    expect(await received(agent)).toEqual([]);
  });

  it('of a carrier without configured webhooks get 401', async () => {
    const bare = await under.start();
    const fields = { MessageSid: sid(), To: '+14155550123', From: '+14155550777', Body: 'x' };
    expect(await refusal(webhook(bare, { token: '' }, fields))).toEqual([401, 'UnauthorizedError']);
    expect(await refusal(webhook(bare, { carrier: 'twilio' }, fields))).toEqual([401, 'UnauthorizedError']);
    await bare.stop();
  });

  it.each<[string, Record<string, string>, [number, string]]>([
    ['to an unknown number', { To: '+14155559999' }, [404, 'NotFoundError']],
    ['without a MessageSid', { MessageSid: '' }, [400, 'BadRequestError']],
    ['with a MessageSid that is too long', { MessageSid: 'S'.repeat(65) }, [400, 'BadRequestError']],
    ['to a malformed number', { To: 'us' }, [400, 'BadRequestError']],
    ['without a sender', { From: '' }, [400, 'BadRequestError']],
    ['with 16,001 characters', { Body: 'x'.repeat(16_001) }, [400, 'BadRequestError']],
  ])('%s are rejected', async (_, fields, wanted) => {
    const { agent, to } = await prepared();
    expect(await refusal(receive({ MessageSid: sid(), To: to, ...fields }))).toEqual(wanted);
    expect(await received(agent)).toEqual([]);
  });

  it('with U+0000 are stored with U+FFFD in its place', async () => {
    const { agent, to } = await prepared();
    await receive({ MessageSid: sid(), To: to, Body: 'a\0b' });
    expect(await received(agent)).toMatchObject([{ body: 'a\uFFFDb' }]);
  });

  it('with an empty text, or from a short code, are stored', async () => {
    const { agent, to } = await prepared();
    await receive({ MessageSid: sid(), To: to, From: '12345', Body: '' });
    expect(await received(agent)).toMatchObject([{ from: '12345', body: '', segment_count: 1 }]);
  });

  it('get 503 and are not stored while agents is unavailable; a repeated delivery is stored', async () => {
    const { agent, to } = await prepared();
    under.fakes.broken.agents = true;
    const fields = { MessageSid: sid(), To: to };
    try {
      expect(await refusal(receive(fields))).toEqual([503, 'internal_error']);
    } finally {
      under.fakes.broken.agents = false;
    }
    expect(await received(agent)).toEqual([]);
    await receive(fields);
    expect(await received(agent)).toHaveLength(1);
  });

  describe('opt-out', () => {
    it.each(['STOP', 'stop', 'Unsubscribe', 'CANCEL', 'end', 'QUIT', 'STOPALL', 'стоп', 'ARRÊT'])(
      '%s suppresses the number for messages and calls; START removes the suppression',
      async (word) => {
        const { agent, to } = await prepared();
        const From = freshNumber();
        await receive({ MessageSid: sid(), To: to, From, Body: word });
        await receive({ MessageSid: sid(), To: to, From, Body: word });
        expect(await suppressedOf(agent)).toEqual([{ phone_number: From, reason: 'opt_out' }]);
        expect(await refusal(send(telephony, agent, { body: { to: From } }))).toEqual([423, 'SuspensionError']);
        expect(await refusal(place(telephony, agent, { to: From }))).toEqual([423, 'SuspensionError']);
        await receive({ MessageSid: sid(), To: to, From, Body: 'Start' }, second);
        expect(await suppressedOf(agent)).toEqual([]);
        expect((await send(telephony, agent, { body: { to: From } })).message.status).toBe('queued');
      },
    );

    it('is audited, applies to this organization only, and is not triggered by a keyword within a sentence', async () => {
      const { agent, to } = await prepared();
      const { agent: other } = await prepared();
      const From = freshNumber();
      await receive({ MessageSid: sid(), To: to, From, Body: 'please do not stop' });
      expect(await suppressedOf(agent)).toEqual([]);
      for (const Body of ['STOP', 'UNSTOP', 'UNSTOP']) await receive({ MessageSid: sid(), To: to, From, Body });
      const { rows } = await under.db.query<{ action: string }>({
        text: `select payload::json ->> 'action' as action from outbox where subject = $1
               and payload::json ->> 'action' like 'suppression%' order by position`,
        values: [`audit.v1.${agent.organizationId}`],
      });
      expect(rows.map(({ action }) => action)).toEqual(['suppressions.added', 'suppression.removed']);
      await receive({ MessageSid: sid(), To: to, From, Body: 'STOP' });
      expect(await suppressedOf(other)).toEqual([]);
      expect(await received(agent)).toHaveLength(5);
    });
  });

  it('to a number of another carrier get 404 and are not stored', async () => {
    const { agent, to } = await prepared();
    await under.db.query({ text: `update numbers set provider = 'twilio' where phone_number = $1`, values: [to] });
    expect(await refusal(receive({ MessageSid: sid(), To: to }))).toEqual([404, 'NotFoundError']);
    expect(await received(agent)).toEqual([]);
  });
});

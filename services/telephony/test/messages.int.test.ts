import { routes } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { eventually, operatorCaller } from '@parley/testing';
import { addNumber, as, customer, numbersOf } from './test-caller';
import { removeSuppression, setControls, setPolicy, suppress, topUpWallet, walletOf } from './organization-of';
import { eventsOf, listMessages, messageIn, readMessage, send } from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const price = 7_900;
const conflict = [409, 'ConflictError'];
const badRequest = [400, 'BadRequestError'];
const suspension = [423, 'SuspensionError'];

describe('messages', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ simulatorDeliveryDelaySeconds: 0 });
    second = await under.start({ simulatorDeliveryDelaySeconds: 0 });
  });
  afterAll(() => under.stop());

  async function prepared(change: Partial<AgentForCall> = {}): Promise<{ agent: AgentForCall; from: string }> {
    const agent = under.fakes.addAgent(change);
    return { agent, from: await addNumber(telephony, agent) };
  }

  const wallet = async ({ organizationId }: AgentForCall) => (await walletOf(telephony, organizationId)).slice(0, 2);
  const rowsOf = async ({ organizationId }: AgentForCall): Promise<number> => {
    const { rows } = await under.db.query<{ count: number }>({
      text: 'select count(*)::int as count from messages where organization_id = $1',
      values: [organizationId],
    });
    return rows[0]?.count ?? -1;
  };

  it('POST /v1/messages: a message is queued, sent and delivered, with one event per step; reading and listing match the last event', async () => {
    const { agent, from } = await prepared();
    const body = { purpose: 'reminder', metadata: { order: 7 }, language: 'en' };
    const { message, etag, replayed } = await send(telephony, agent, { body });
    expect(replayed).toBe(false);
    expect(message).toMatchObject({
      agent_id: agent.agentId,
      organization_id: agent.organizationId,
      project_id: agent.projectId,
      direction: 'outbound',
      from,
      to: '+14155550123',
      status: 'queued',
      body: 'See you at ten',
      segment_count: 1,
      provider: 'simulator',
      template_id: null,
      error: null,
      translation: null,
      cost: { currency: 'USD', amount_micros: 0 },
      ...body,
    });
    expect(etag).toBe(`"${message.message_id}.0"`);
    const delivered = await messageIn(second, agent, message.message_id, 'delivered');
    expect(delivered).toMatchObject({
      carrier_message_id: expect.any(String) as string,
      cost: { amount_micros: price },
    });
    const events = await eventsOf(under, message.message_id);
    expect(events.map(({ type, resource_seq }) => [type, resource_seq])).toEqual([
      ['sms.sent', 1],
      ['sms.delivery_updated', 2],
    ]);
    expect(events[0]).toMatchObject({
      project_id: agent.projectId,
      agent_id: agent.agentId,
      resource_id: message.message_id,
    });
    expect(events[0]?.data).toMatchObject({ status: 'sent', delivered_at: null });
    expect(events[1]?.data).toEqual(delivered);
    expect((await listMessages(telephony, agent.organizationId)).data).toEqual([delivered]);
  });

  it.each([
    ['+15005550001', 'undelivered', ['sms.sent', 'sms.delivery_updated'], price],
    ['+15005550004', 'failed', ['sms.delivery_updated'], 0],
  ] as const)('a message to %s ends as %s with events %j and cost %i', async (to, status, reported, cost) => {
    const { agent } = await prepared();
    const { message } = await send(telephony, agent, { body: { to } });
    const ended = await messageIn(telephony, agent, message.message_id, status);
    expect(ended).toMatchObject({ error: { code: expect.any(String) as string }, cost: { amount_micros: cost } });
    expect((await eventsOf(under, message.message_id)).map(({ type }) => type)).toEqual(reported);
  });

  it.each([
    ['to_phone_number instead of to', { to: undefined, to_phone_number: '+14155550188' }, '+14155550188'],
    ['to and to_phone_number if they are equal', { to_phone_number: '+14155550123' }, '+14155550123'],
  ])('accepts %s', async (_, body, to) => {
    const { agent } = await prepared();
    expect((await send(telephony, agent, { body })).message.to).toBe(to);
  });

  it.each([
    ['from', (from: string) => ({ from })],
    ['from_phone_number', (from: string) => ({ from_phone_number: from })],
    ['from_number', (from: string) => ({ from_number: from })],
  ])('with several numbers, accepts the sending number as %s; without it 400', async (_, named) => {
    const { agent, from } = await prepared();
    await addNumber(telephony, agent);
    expect((await send(telephony, agent, { body: named(from) })).message.from).toBe(from);
    expect(await refusal(send(telephony, agent))).toEqual(badRequest);
  });

  it("accepts the sending number as number_id; another project's number gets 400 in any field", async () => {
    const { agent, from } = await prepared();
    const sibling = under.fakes.addAgent({ organizationId: agent.organizationId });
    const other = await addNumber(telephony, sibling);
    const numbers = await numbersOf(telephony, agent);
    const idOf = (number: string) => numbers.find(({ phone_number }) => phone_number === number)?.number_id;
    expect((await send(telephony, agent, { body: { number_id: idOf(from) } })).message.from).toBe(from);
    for (const body of [
      { number_id: idOf(other) },
      { number_id: newId('num') },
      { number_id: idOf(from), from: other },
      { from: other },
      { from_phone_number: other },
      { from_number: other },
    ]) {
      expect(await refusal(send(telephony, agent, { body }))).toEqual(badRequest);
    }
  });

  it.each<[Record<string, unknown>]>([
    [{ to: undefined }],
    [{ to: '4155550123' }],
    [{ to: '+14155550123', to_phone_number: '+14155550124' }],
    [{ from: '+14155550123', from_number: '+14155550124' }],
    [{ body: '' }],
    [{ body: ' \n\u00a0' }],
    [{ body: '\u200b\u2060\ufe0f' }],
    [{ body: 'x'.repeat(1601) }],
    [{ body: undefined }],
    [{ purpose: '' }],
    [{ purpose: 'x'.repeat(65) }],
    [{ metadata: [] }],
    [{ idempotency_key: 'a b' }],
  ])('an invalid field gets 400 and creates no message: case %#', async (body) => {
    const { agent } = await prepared();
    expect(await refusal(send(telephony, agent, { body }))).toEqual(badRequest);
    expect(await rowsOf(agent)).toBe(0);
  });

  it('sending from a number whose provider has no messaging (sip_trunk) gets 400', async () => {
    const { agent } = await prepared();
    await under.db.query({
      text: `update numbers set provider = 'sip_trunk' where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(await refusal(send(telephony, agent))).toEqual(badRequest);
  });

  it('1600 characters are accepted as 11 segments', async () => {
    const { agent } = await prepared();
    const { message } = await send(telephony, agent, { body: { body: 'x'.repeat(1600) } });
    expect(message.segment_count).toBe(11);
  });

  describe('checks before sending', () => {
    it('run in order: agent, project, status, suspension, number, suppression, spend limit, wallet, policy', async () => {
      const { agent } = await prepared({ status: 'inactive' });
      const { organizationId } = agent;
      under.fakes.prepaid.add(organizationId);
      const premium = '+19005550123';
      await suppress(telephony, agent.organizationId, premium);
      const limits = (body: object) => setControls(telephony, organizationId, body);
      await limits({ daily_spend_micros: 1 });
      const { control } = under.fakes;
      const set = (change: () => void) => {
        change();
        control.epoch += 1;
      };
      set(() => control.suspendedAgents.push(agent.agentId));
      const foreign = newId('num');
      const attempt = (body: object = {}) =>
        refusal(send(telephony, agent, { body: { to: premium, number_id: foreign, ...body } }));
      expect(await attempt({ agent_id: newId('agt') })).toEqual([404, 'NotFoundError']);
      expect(await attempt({ project_id: newId('prj') })).toEqual([404, 'NotFoundError']);
      expect(await attempt()).toEqual(conflict);
      Object.assign(agent, { status: 'suspended' });
      expect(await attempt()).toEqual(suspension);
      set(() => (control.suspendedAgents.length = 0));
      Object.assign(agent, { status: 'active' });
      const free = () => refusal(send(telephony, agent, { body: { to: premium } }));
      await expectEventually(attempt, badRequest);
      expect(await free()).toEqual(suspension);
      await removeSuppression(telephony, organizationId, premium);
      expect(await free()).toEqual(suspension);
      await limits({});
      expect(await free()).toEqual([402, 'InsufficientBalanceError']);
      expect(await rowsOf(agent)).toBe(0);
      await topUpWallet(telephony, organizationId, { amount_micros: price });
      const { message } = await send(telephony, agent, { body: { to: premium } });
      expect(message).toMatchObject({
        status: 'failed',
        policy: { verdict: 'blocked', rules: ['premium_rate_number'] },
        error: { code: 'policy_refused' },
      });
      expect((await eventsOf(under, message.message_id)).map(({ type }) => type)).toEqual(['sms.delivery_updated']);
      expect(await wallet(agent)).toEqual([price, 0]);
    });

    /** A new control state takes effect within a second. */
    const expectEventually = (attempt: () => Promise<[number, string]>, [status]: (string | number)[]) =>
      eventually(async () => ((await attempt())[0] === status ? true : undefined));
  });

  it("an organization's consent policy with action review fails a message without consent, and admits one with consent", async () => {
    const { agent } = await prepared();
    const policy = { consent_required: { mode: 'enforce', action: 'review' } };
    await setPolicy(telephony, agent.organizationId, policy);
    expect((await send(telephony, agent)).message).toMatchObject({
      status: 'failed',
      policy: { verdict: 'review', rules: ['consent_required'], reasons: [expect.any(String)] },
    });
    expect((await send(telephony, agent, { body: { consent: true } })).message.status).toBe('queued');
  });

  describe('Idempotency-Key', () => {
    it('concurrent requests with one key on two instances create one message; another body gets 409', async () => {
      const { agent } = await prepared();
      const twelve = Array.from({ length: 12 }, (_, index) =>
        send(index % 2 ? telephony : second, agent, { key: 'k' }),
      );
      const answers = await Promise.all(twelve);
      const [id] = new Set(answers.map(({ message }) => message.message_id));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      await messageIn(telephony, agent, id ?? '', 'delivered');
      expect(await rowsOf(agent)).toBe(1);
      expect(await refusal(send(telephony, agent, { key: 'k', body: { body: 'Other' } }))).toEqual(conflict);
    });

    it('is checked first: a repeated request succeeds even if the agent is now inactive and the number suppressed', async () => {
      const { agent } = await prepared();
      const first = await send(telephony, agent, { key: 'k' });
      Object.assign(agent, { status: 'inactive' });
      await suppress(telephony, agent.organizationId, '+14155550123');
      const again = await send(second, agent, { key: 'k' });
      expect(again).toMatchObject({ replayed: true, message: first.message, etag: first.etag });
      expect(await refusal(send(second, agent, { key: 'l' }))).toEqual(conflict);
    });
  });

  it('reserves the price, charges it when the message is sent, and concurrent messages never overdraw the wallet', async () => {
    const { agent } = await prepared();
    const { organizationId } = agent;
    under.fakes.prepaid.add(organizationId);
    await topUpWallet(telephony, organizationId, { amount_micros: 5 * price + 1 });
    const attempts = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) => send(index % 2 ? telephony : second, agent)),
    );
    const sent = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value.message] : []));
    expect(sent).toHaveLength(5);
    for (const { message_id } of sent) await messageIn(telephony, agent, message_id, 'delivered');
    expect(await wallet(agent)).toEqual([1, 0]);
    const { rows } = await under.db.query<{ sum: string; charges: number; last: string }>({
      text: `select sum(amount_micros) as sum, count(distinct message_id)::int as charges,
               min(balance_micros) as last from wallet_ledger where organization_id = $1`,
      values: [organizationId],
    });
    expect(rows[0]).toEqual({ sum: '1', charges: 5, last: '1' });
    const failing = await refusal(send(telephony, agent));
    expect(failing).toEqual([402, 'InsufficientBalanceError']);
  });

  it('releases the hold of a message that the carrier rejects', async () => {
    const { agent } = await prepared();
    under.fakes.prepaid.add(agent.organizationId);
    await topUpWallet(telephony, agent.organizationId, { amount_micros: price });
    const { message } = await send(telephony, agent, { body: { to: '+15005550004' } });
    await messageIn(telephony, agent, message.message_id, 'failed');
    expect(await wallet(agent)).toEqual([price, 0]);
  });

  it('lists messages newest first in pages, filtered by agent, project, status and direction', async () => {
    const { agent } = await prepared();
    const sibling = under.fakes.addAgent({ organizationId: agent.organizationId });
    await addNumber(telephony, sibling);
    const ids: string[] = [];
    for (const by of [agent, sibling, agent]) ids.unshift((await send(telephony, by)).message.message_id);
    for (const id of ids) await messageIn(telephony, agent, id, 'delivered');
    const list = async (filter: Parameters<typeof listMessages>[2]) =>
      (await listMessages(telephony, agent.organizationId, filter)).data.map(({ message_id }) => message_id);
    expect(await list({})).toEqual(ids);
    expect(await list({ agent_id: sibling.agentId })).toEqual([ids[1]]);
    expect(await list({ project_id: agent.projectId })).toEqual([ids[0], ids[2]]);
    expect(await list({ status: 'delivered' })).toEqual(ids);
    expect(await list({ status: 'queued' })).toEqual([]);
    expect(await list({ direction: 'inbound' })).toEqual([]);
    const page = await listMessages(telephony, agent.organizationId, { limit: 2 });
    const rest = await listMessages(telephony, agent.organizationId, { limit: 2, cursor: page.next_cursor ?? '' });
    expect([...page.data, ...rest.data].map(({ message_id }) => message_id)).toEqual(ids);
    expect(rest.next_cursor).toBeNull();
  });

  it("another organization's message gets 404 and is not listed; sending with another organization's agent gets 404", async () => {
    const { agent } = await prepared();
    const { message } = await send(telephony, agent);
    const stranger = under.fakes.addAgent();
    for (const id of [message.message_id, newId('msg'), 'msg_nonsense']) {
      expect(await refusal(readMessage(telephony, stranger, id))).toEqual([404, 'NotFoundError']);
    }
    expect((await listMessages(telephony, stranger.organizationId)).data).toEqual([]);
    const asStranger = { context: customer(stranger.organizationId), organizationId: stranger.organizationId };
    expect(await refusal(send(telephony, agent, asStranger))).toEqual([404, 'NotFoundError']);
  });

  it("an operator request without an organization sends for the agent's organization, and reads a message by its id", async () => {
    const { agent } = await prepared();
    const { message } = await send(telephony, agent, { context: as(operatorCaller), organizationId: '', key: 'k' });
    const request = { caller: operatorCaller, params: { message_id: message.message_id } };
    const read = await telephony.request(routes.getMessage, request);
    expect(read.body).toMatchObject({ organization_id: agent.organizationId });
  });
});

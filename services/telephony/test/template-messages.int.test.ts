import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, newId } from '@parley/runtime';
import { addNumber, customer, numbersOf } from './test-caller';
import { messageIn, readMessage, sendTemplate } from './test-messages';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const badRequest = [400, 'BadRequestError'];
const absent = [404, 'NotFoundError'];

const template = {
  texts: {
    en: 'Hello {{name}}, see you at {{time}}. {{shop}}',
    et: 'Tere {{name}}, kohtume kell {{time}}. {{shop}}',
    de: 'Hallo {{name}}, bis {{time}}. {{shop}}',
  },
  slots: [{ name: 'name', max_length: 5 }],
  variables: [
    { name: 'time', type: 'string', required: true },
    { name: 'shop', type: 'string', required: false, protected: true },
  ],
};

describe('messages from templates', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  async function prepared(change: Partial<AgentForCall> = {}, shown: object = template) {
    const variables = [{ name: 'shop', type: 'string', required: false, default: 'Bakery' }];
    const agent = under.fakes.addAgent({ variables: documentOf('VariablesConfig', { variables }), ...change });
    const templateId = newId('tpl');
    under.fakes.templates.set(templateId, { organizationId: agent.organizationId, template: shown });
    const from = await addNumber(telephony, agent);
    return { agent, from, templateId };
  }

  const filled = (templateId: string, more: object = {}) => ({
    template_id: templateId,
    slots: { name: 'Ann' },
    variables: { time: '10:00' },
    ...more,
  });

  const count = async ({ organizationId }: AgentForCall) => {
    const { rows } = await under.db.query<{ count: number }>({
      text: 'select count(*)::int as count from messages where organization_id = $1',
      values: [organizationId],
    });
    return rows[0]?.count;
  };

  it('template_id, metadata, purpose: the text is rendered from the template and sent', async () => {
    const { agent, from, templateId } = await prepared();
    const { message } = await sendTemplate(
      telephony,
      agent,
      filled(templateId, { language: 'en-GB', metadata: { order: 7 }, purpose: 'reminder' }),
    );
    expect(message).toMatchObject({
      agent_id: agent.agentId,
      template_id: templateId,
      campaign_id: null,
      from,
      body: 'Hello Ann, see you at 10:00. Bakery',
      language: 'en',
      metadata: { order: 7 },
      purpose: 'reminder',
    });
    await messageIn(telephony, agent, message.message_id, 'delivered');
  });

  it.each([
    ['et-EE', 'en-US', 'et'],
    ['DE', 'en-US', 'de'],
    ['fr', 'et', 'et'],
    ['fr', 'fr', 'de'],
    [undefined, 'et', 'et'],
  ])('language: requested %s, language of the agent %s, sent in %s', async (language, primary, chosen) => {
    const { agent, templateId } = await prepared({ language: primary });
    const { message } = await sendTemplate(telephony, agent, filled(templateId, { language }));
    expect(message.language).toBe(chosen);
  });

  it.each([
    ['template_id absent', { template_id: undefined }],
    ['slots: one character too long', { slots: { name: 'Sophie' } }],
    ['slots: unknown', { slots: { name: 'Ann', other: 'x' } }],
    ['slots: missing', { slots: {} }],
    ['slots: not a string', { slots: { name: 5 } }],
    ['variables: a required variable is missing', { variables: {} }],
    ['variables: a protected variable', { variables: { time: '10:00', shop: 'Mine' } }],
    ['variables: a variable of another type', { variables: { time: 10 } }],
    ['metadata: not an object', { metadata: 'x' }],
    ['purpose: empty', { purpose: '' }],
    ['to: absent', { to: undefined }],
    ['to: not E.164', { to: '4155550123' }],
    ['to and to_phone_number: different numbers', { to_phone_number: '+14155550124' }],
    ['unsafe fields: body', { body: 'x' }],
    ['unsafe fields: campaign_id', { campaign_id: 'cmp_1' }],
    ['unsafe fields: provider', { provider: 'twilio' }],
    ['unsafe fields: segment_count', { segment_count: 1 }],
    ['idempotency_key: not visible ASCII', { idempotency_key: 'ä' }],
  ])('%s: 400 and no message is created', async (_, fields) => {
    const { agent, templateId } = await prepared();
    expect(await refusal(sendTemplate(telephony, agent, filled(templateId, fields)))).toEqual(badRequest);
    expect(await count(agent)).toBe(0);
  });

  it('slots: a value of exactly max_length characters is accepted, also of emoji', async () => {
    const { agent, templateId } = await prepared();
    const { message } = await sendTemplate(telephony, agent, filled(templateId, { slots: { name: '😀😀😀😀😀' } }));
    expect(message.body).toContain('😀😀😀😀😀');
  });

  it('to: to_phone_number is its alias', async () => {
    const { agent, templateId } = await prepared();
    const alias = filled(templateId, { to: undefined, to_phone_number: '+14155550199' });
    expect((await sendTemplate(telephony, agent, alias)).message.to).toBe('+14155550199');
  });

  it("project_id: the agent's own is accepted, any other gets 404", async () => {
    const { agent, templateId } = await prepared();
    const own = filled(templateId, { project_id: agent.projectId });
    expect((await sendTemplate(telephony, agent, own)).message.project_id).toBe(agent.projectId);
    const sibling = under.fakes.addAgent({ organizationId: agent.organizationId });
    for (const project of [sibling.projectId, newId('prj')]) {
      const other = filled(templateId, { project_id: project });
      expect(await refusal(sendTemplate(telephony, agent, other))).toEqual(absent);
    }
  });

  it("sending number: in every field it must belong to the agent's project, else 400", async () => {
    const { agent, from, templateId } = await prepared();
    const sibling = under.fakes.addAgent({ organizationId: agent.organizationId });
    const other = await addNumber(telephony, sibling);
    for (const name of ['from', 'from_phone_number', 'from_number']) {
      expect((await sendTemplate(telephony, agent, filled(templateId, { [name]: from }))).message.from).toBe(from);
      expect(await refusal(sendTemplate(telephony, agent, filled(templateId, { [name]: other })))).toEqual(badRequest);
    }
    const [number] = await numbersOf(telephony, agent, { project_id: sibling.projectId });
    const byId = filled(templateId, { number_id: number?.number_id });
    expect(await refusal(sendTemplate(telephony, agent, byId))).toEqual(badRequest);
  });

  it("an unknown agent or template, or another organization's, gets 404 even if the fields are invalid", async () => {
    const { agent, templateId } = await prepared();
    const { agent: stranger } = await prepared();
    const foreign = { context: customer(stranger.organizationId) };
    expect(await refusal(sendTemplate(telephony, agent, filled(templateId), foreign))).toEqual(absent);
    expect(await refusal(sendTemplate(telephony, agent, { body: 'x' }, foreign))).toEqual(absent);
    expect(await refusal(sendTemplate(telephony, { ...agent, agentId: 'agt_x' }, { body: 'x' }))).toEqual(absent);
    expect(await refusal(sendTemplate(telephony, agent, filled(newId('tpl'))))).toEqual(absent);
    expect(await refusal(sendTemplate(telephony, stranger, filled(templateId)))).toEqual(absent);
  });

  it('an inactive agent gets 409, but invalid fields get 400 first', async () => {
    const { agent, templateId } = await prepared({ status: 'inactive' });
    expect(await refusal(sendTemplate(telephony, agent, filled(templateId)))).toEqual([409, 'ConflictError']);
    expect(await refusal(sendTemplate(telephony, agent, filled(templateId, { slots: {} })))).toEqual(badRequest);
  });

  it('idempotency_key: a repeated request returns the first message; another body gets 409 even if it is invalid', async () => {
    const { agent, templateId } = await prepared();
    const first = await sendTemplate(telephony, agent, filled(templateId), { key: 'k' });
    const again = await sendTemplate(telephony, agent, filled(templateId), { key: 'k' });
    expect(again).toMatchObject({ replayed: true, message: first.message });
    const other = sendTemplate(telephony, agent, filled(templateId, { body: 'x' }), { key: 'k' });
    expect(await refusal(other)).toEqual([409, 'ConflictError']);
    expect(await count(agent)).toBe(1);
    expect((await readMessage(telephony, agent, first.message.message_id)).template_id).toBe(templateId);
  });

  it('a rendered text of more than 1,600 characters gets 400', async () => {
    const long = {
      texts: { en: `{{name}}${'x'.repeat(1598)}` },
      slots: [{ name: 'name', max_length: 5 }],
      variables: [],
    };
    const { agent, templateId } = await prepared({}, long);
    const of = (name: string) => sendTemplate(telephony, agent, { template_id: templateId, slots: { name } });
    expect((await of('ab')).message.body).toHaveLength(1600);
    expect(await refusal(of('abc'))).toEqual(badRequest);
  });
});

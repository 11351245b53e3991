import { routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const reminder = {
  name: 'Reminder',
  texts: { en: 'Hi {{who}}, {{note}}', et: 'Tere {{who}}' },
  slots: [{ name: 'note', max_length: 40 }],
  variables: [{ name: 'who', required: true }],
};

describe('message templates', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const create = (change: Json = {}, key = '', of = customer) => {
    const body = { organization_id: of.organizationId, ...reminder, ...change };
    return of.ask(routes.createMessageTemplate, { body, key });
  };
  const at = (templateId: string) => ({ params: { template_id: templateId } });
  const get = async (templateId: string, of = customer) => {
    const { etag, body } = await of.ask(routes.getMessageTemplate, at(templateId));
    return { etag, body };
  };
  const update = async (templateId: string, change: Json, ifMatch = '', of = customer) => {
    const { etag, body } = await of.ask(routes.updateMessageTemplate, { ...at(templateId), body: change, ifMatch });
    return { etag, body };
  };
  const refused = (pending: Promise<unknown>, status: number, code: string) =>
    expect(pending).rejects.toMatchObject({ status, code });

  it('are returned as created, with the same ETag', async () => {
    const { body, etag } = await create();
    expect(body).toMatchObject({ ...reminder, organization_id: customer.organizationId });
    expect(body.template_id).toMatch(/^tpl_/);
    expect(await get(String(body.template_id))).toEqual({ body, etag });
  });

  it('an unknown field returns 400, also in an update', async () => {
    const unknown = {
      status: 400,
      code: 'BadRequestError',
      fields: { errors: [{ path: 'colour', code: 'unknown_field' }] },
    };
    await expect(create({ colour: 'red' })).rejects.toMatchObject(unknown);
    const { body } = await create();
    await expect(update(String(body.template_id), { colour: 'red' })).rejects.toMatchObject(unknown);
  });

  it('are created once per Idempotency-Key', async () => {
    const first = await create({}, 'key-1');
    const again = await create({}, 'key-1');
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    await refused(create({ name: 'Other' }, 'key-1'), 409, 'ConflictError');
  });

  it('an update replaces the given fields; a stale If-Match returns 409 and changes nothing', async () => {
    const { body, etag } = await create();
    const id = String(body.template_id);
    const changed = await update(id, { name: 'Later', slots: reminder.slots }, etag);
    expect(changed.body).toMatchObject({ ...reminder, name: 'Later' });
    await refused(update(id, { name: 'Never' }, etag), 409, 'ConflictError');
    await refused(update(id, { variables: [] }), 400, 'BadRequestError');
    expect(await get(id)).toEqual(changed);
  });

  it('two concurrent updates of different fields are both applied', async () => {
    const id = String((await create()).body.template_id);
    await Promise.all([update(id, { name: 'One' }), update(id, { texts: { en: 'Hi {{who}}' } })]);
    expect((await get(id)).body).toMatchObject({ name: 'One', texts: { en: 'Hi {{who}}' } });
  });

  it.each<[string, Json]>([
    ['name', { name: '' }],
    ['name', { name: 'a'.repeat(201) }],
    ['texts', { texts: {} }],
    ['texts.en', { texts: { en: 'Hi {{unknown}}' } }],
    ['texts.en', { texts: { en: 'a'.repeat(1601) } }],
    ['slots[0].max_length', { slots: [{ name: 'note', max_length: 0 }] }],
    ['slots[0].max_length', { slots: [{ name: 'note', max_length: 501 }] }],
    ['slots[1].name', { slots: [reminder.slots[0], reminder.slots[0]] }],
    ['variables[0].required', { variables: [{ name: 'who' }] }],
    ['variables[0].name', { variables: [{ name: 'note', required: true }] }],
  ])('400 names %s for %j', async (field, change) => {
    const pending = create(change);
    await refused(pending, 400, 'BadRequestError');
    await expect(pending).rejects.toThrow(new RegExp(`^${field.replace(/[.[\]]/g, '\\$&')} `));
  });

  it('are listed newest first, in pages', async () => {
    const own = platform.customer();
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await create({ name }, '', own)).body.template_id);
    const page = async (query: { cursor?: string }) =>
      (await own.ask(routes.listMessageTemplates, { query: { limit: 2, ...query } })).body;
    const first = await page({});
    const second = await page({ cursor: String(first.next_cursor) });
    const idsOf = ({ data }: typeof first) => data.map(({ template_id }) => template_id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.next_cursor).toBeNull();
  });

  it('return 404 for another organization, an unknown id and a malformed id', async () => {
    const id = String((await create()).body.template_id);
    const stranger = platform.customer();
    for (const templateId of [id, newId('tpl'), 'nonsense']) {
      await refused(get(templateId, stranger), 404, 'NotFoundError');
      await refused(update(templateId, { name: 'x' }, '', stranger), 404, 'NotFoundError');
    }
  });
});

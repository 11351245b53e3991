import { routes } from '@parley/contract';
import { jsonOf, newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const defaults = { between_seconds: 4, max_digits: null, end_key: '#' };

describe('the setting keys of an agent', () => {
  let platform: AgentsPlatform;
  let customer: Customer;
  let agentId: string;

  beforeAll(async () => void (platform = await AgentsPlatform.start()));
  beforeEach(async () => {
    customer = platform.customer();
    agentId = await customer.agent();
  });
  afterAll(() => platform?.stop());

  const at = (id = agentId) => ({ params: { agent_id: id } });
  const read = (owner = customer, id = agentId) => owner.ask(routes.getAgentKeys, at(id));
  const put = (body: Json, owner = customer, id = agentId, more: object = {}) =>
    owner.ask(routes.replaceAgentKeys, { ...at(id), ...more, body });
  const reset = (owner = customer, id = agentId, more: object = {}) =>
    owner.ask(routes.deleteAgentKeys, { ...at(id), ...more });
  const pinned = async () => jsonOf<Json>((await customer.forCall(agentId)).tuning);

  it.each<[Json, object]>([
    [{}, defaults],
    [{ between_seconds: 1 }, { ...defaults, between_seconds: 1 }],
    [
      { between_seconds: 10, max_digits: 32, end_key: '*' },
      { between_seconds: 10, max_digits: 32, end_key: '*' },
    ],
    [
      { max_digits: 1, end_key: null },
      { ...defaults, max_digits: 1, end_key: null },
    ],
  ])('%j is stored as %j, read, replaced whole, and pinned by calls', async (body, expected) => {
    expect((await read()).body).toEqual(defaults);
    expect(await pinned()).not.toHaveProperty('settings');
    await put({ between_seconds: 7, max_digits: 7, end_key: '*' });
    const saved = await put(body);
    expect(saved.body).toEqual(expected);
    expect(await read()).toMatchObject({ body: expected, etag: saved.etag });
    expect(await pinned()).toMatchObject({ settings: { keys: expected } });
    expect((await put((await read()).body as Json)).etag).toBe(saved.etag);
    for (let again = 0; again < 2; again += 1) expect((await reset()).body).toEqual(defaults);
    expect(await pinned()).not.toHaveProperty('settings');
  });

  it.each<[Json, string]>([
    [{ between_seconds: 0.99 }, 'between_seconds'],
    [{ between_seconds: 10.01 }, 'between_seconds'],
    [{ between_seconds: null }, 'between_seconds'],
    [{ max_digits: 0 }, 'max_digits'],
    [{ max_digits: 33 }, 'max_digits'],
    [{ max_digits: 1.5 }, 'max_digits'],
    [{ end_key: '1' }, 'end_key'],
    [{ end_key: '' }, 'end_key'],
    [{ keys: '#' }, 'keys'],
  ])('%j is 400 and changes nothing', async (body, path) => {
    await put({ max_digits: 3 });
    await expect(put(body)).rejects.toMatchObject({ status: 400, fields: { errors: [{ path }] } });
    expect((await read()).body).toEqual({ ...defaults, max_digits: 3 });
  });

  it('changes no revision and publishes nothing', async () => {
    const before = (await customer.ask(routes.getAgent, at())).etag;
    await put({ max_digits: 3 });
    expect((await customer.ask(routes.getAgent, at())).etag).toBe(before);
  });

  it('obeys If-Match: of writers with the same entity tag one wins', async () => {
    const { etag } = await read();
    const writers = [1, 2, 3, 4].map((max) => put({ max_digits: max }, customer, agentId, { ifMatch: etag }));
    const settled = await Promise.allSettled(writers);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(reset(customer, agentId, { ifMatch: etag })).rejects.toMatchObject({ status: 409 });
    expect((await reset(customer, agentId, { ifMatch: (await read()).etag })).body).toEqual(defaults);
  });

  it('of an unknown or foreign agent is 404, a foreign workspace in the body 403', async () => {
    const other = platform.customer();
    for (const [owner, id] of [
      [other, agentId],
      [customer, newId('agt')],
      [customer, 'nonsense'],
    ] as const) {
      await expect(read(owner, id)).rejects.toMatchObject({ status: 404 });
      await expect(put({}, owner, id)).rejects.toMatchObject({ status: 404 });
      await expect(reset(owner, id)).rejects.toMatchObject({ status: 404 });
    }
    await expect(put({ organization_id: other.organizationId })).rejects.toMatchObject({ status: 403 });
    await expect(put({ project_id: newId('prj') })).rejects.toMatchObject({ status: 403 });
    const own = { organization_id: customer.organizationId, project_id: customer.projectId, agent_id: agentId };
    expect((await put({ ...own, max_digits: 2 })).body).toEqual({ ...defaults, max_digits: 2 });
  });

  it('each change is an entry of the audit log, an equal save is none; it ends with its agent', async () => {
    await put({ max_digits: 5 });
    await put({ max_digits: 5 });
    await reset();
    await put({ max_digits: 6 });
    await customer.ask(routes.deleteAgent, at());
    const acts = await platform.rows(
      `select payload::json ->> 'action' as action from outbox where payload::json ->> 'subject' = $1 order by position`,
      [agentId],
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'agent.created',
      'agent.setting_replaced',
      'agent.setting_deleted',
      'agent.setting_replaced',
      'agent.deleted',
    ]);
    expect(await platform.rows('select 1 from agent_settings where agent_id = $1', [agentId])).toEqual([]);
    await expect(read()).rejects.toMatchObject({ status: 404 });
  });
});

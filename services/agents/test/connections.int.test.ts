import { randomUUID } from 'node:crypto';
import { routes, type ConnectionRecord } from '@parley/contract';
import { jsonOf, newId, serviceCaller } from '@parley/runtime';
import { AgentsPlatform, operator, type Customer, type Json } from './agents-platform';

const notFound = { status: 404, code: 'NotFoundError' };
const badRequest = { status: 400, code: 'BadRequestError' };
const conflict = { status: 409, code: 'ConflictError' };

const action = {
  name: 'create_ticket',
  method: 'POST',
  path: '/tickets/{queue}',
  parameters: { type: 'object', properties: { queue: { type: 'string' } } },
  description: 'Creates a ticket.',
};

describe('connections', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => void (platform = await AgentsPlatform.start()));
  beforeEach(() => void (customer = platform.customer()));
  afterAll(() => platform?.stop());

  const bodyOf = (owner: Customer, change: Json = {}): Json => ({
    organization_id: owner.organizationId,
    project_id: owner.projectId,
    name: 'CRM',
    base_url: 'https://crm.example.com/api',
    authentication: { type: 'bearer', token: 'CONNECTION-SECRET' },
    actions: [action],
    ...change,
  });
  const create = async (owner = customer, change: Json = {}, key = '') =>
    owner.ask(routes.createConnection, { body: bodyOf(owner, change), key });
  const created = async (owner = customer, change: Json = {}): Promise<ConnectionRecord> =>
    (await create(owner, change)).body;
  const at = (connectionId: string) => ({ params: { connection_id: connectionId } });
  const read = (id: string, owner = customer) => owner.ask(routes.getConnection, at(id));
  const update = (id: string, body: Json, owner = customer, ifMatch = '') =>
    owner.ask(routes.updateConnection, { ...at(id), body, ifMatch });
  const remove = (id: string, owner = customer, ifMatch = '') =>
    owner.ask(routes.deleteConnection, { ...at(id), ifMatch });
  const list = async (query: Json = {}, owner = customer) => (await owner.ask(routes.listConnections, { query })).body;
  const tool = (connectionId: string, change: Json = {}): Json => ({
    type: 'connection',
    connection_id: connectionId,
    action: 'create_ticket',
    ...change,
  });
  /** The connections that a call of an agent receives. */
  const opened = async (connectionId: string, agentId: string, owner = customer): Promise<Json[]> => {
    const request = {
      organizationId: owner.organizationId,
      agentId,
      publicationVersion: 0,
      connectionIds: [connectionId],
    };
    const context = { requestId: 'test', caller: serviceCaller };
    const { connections } = await owner.clients.rpcs.getCallSecrets(request, context);
    return connections.map((document) => jsonOf<Json>(document));
  };

  it('are created, read and listed without their secret, which is stored encrypted', async () => {
    const secret = `canary-${randomUUID()}`;
    const one = await create(customer, { authentication: { type: 'bearer', token: secret } });
    expect(one.body).toEqual({
      connection_id: expect.stringMatching(/^con_/),
      organization_id: customer.organizationId,
      project_id: customer.projectId,
      name: 'CRM',
      base_url: 'https://crm.example.com/api',
      authentication: { type: 'bearer', token: '***' },
      actions: [action],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const header = await created(customer, { authentication: { type: 'header', name: 'X-Key', value: secret } });
    expect(header.authentication).toEqual({ type: 'header', name: 'X-Key', value: '***' });
    const none = await created(customer, { authentication: { type: 'none' } });
    expect(none.authentication).toEqual({ type: 'none' });
    expect(await read(one.body.connection_id)).toMatchObject({ body: one.body, etag: one.etag });
    expect((await list()).data).toEqual([none, header, one.body]);
    const first = await list({ limit: 2 });
    expect(first.data).toEqual([none, header]);
    expect(await list({ limit: 2, cursor: first.next_cursor })).toEqual({ data: [one.body], next_cursor: null });
    expect((await list({ project_id: newId('prj') })).data).toEqual([]);
    expect((await list({ project_id: customer.projectId })).data).toHaveLength(3);
    const rows = await platform.rows('select to_jsonb(c)::text as row from connections c where organization_id = $1', [
      customer.organizationId,
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('are created once per Idempotency-Key', async () => {
    const first = await create(customer, {}, 'k1');
    const again = await create(customer, {}, 'k1');
    expect([again.replayed, again.body]).toEqual([true, first.body]);
    expect((await list()).data).toHaveLength(1);
    await expect(create(customer, { name: 'Other' }, 'k1')).rejects.toMatchObject(conflict);
  });

  it.each<[string, Json]>([
    ['no name', { name: '' }],
    ['no actions', { actions: [] }],
    ['33 actions', { actions: Array.from({ length: 33 }, (_, n) => ({ ...action, name: `a${n}` })) }],
    ['two actions with one name', { actions: [action, action] }],
    ['a private address', { base_url: 'https://10.0.0.5/api' }],
    ['the metadata service', { base_url: 'https://169.254.169.254' }],
    ['an address with a query', { base_url: 'https://crm.example.com/api?x=1' }],
    ['an address with a trailing slash', { base_url: 'https://crm.example.com/api/' }],
    ['an address with credentials', { base_url: 'https://a:b@crm.example.com' }],
    ['a path with ..', { actions: [{ ...action, path: '/../admin' }] }],
    ['a path that ends in ..', { actions: [{ ...action, path: '/tickets/..' }] }],
    ['a path with an encoded ..', { actions: [{ ...action, path: '/%2E%2e/admin' }] }],
    ['a path to another host', { actions: [{ ...action, path: '//other.example/x' }] }],
    ['a path with a query', { actions: [{ ...action, path: '/a?b=c' }] }],
    ['a path without a slash', { actions: [{ ...action, path: 'tickets' }] }],
    ['a path with an undeclared parameter', { actions: [{ ...action, path: '/t/{id}' }] }],
    ['a path with an unclosed brace', { actions: [{ ...action, path: '/t/{queue' }] }],
    ['the method GET', { actions: [{ ...action, method: 'GET' }] }],
    ['parameters that are not a schema of an object', { actions: [{ ...action, parameters: { type: 'string' } }] }],
    [
      'a reference to another document',
      { actions: [{ ...action, parameters: { type: 'object', $ref: 'https://x.example' } }] },
    ],
    ['a bearer without a token', { authentication: { type: 'bearer' } }],
    ['a header without a value', { authentication: { type: 'header', name: 'X-Key' } }],
    ['a header without a name', { authentication: { type: 'header', value: 'x' } }],
    ['a token of another type', { authentication: { type: 'none', token: 'x' } }],
    [
      'a header that is reserved by the platform',
      { authentication: { type: 'header', name: 'Webhook-Id', value: 'x' } },
    ],
    ['a token with a line break', { authentication: { type: 'bearer', token: 'a\r\nb' } }],
    ['a masked token if none is stored', { authentication: { type: 'bearer', token: '***' } }],
    ['an unknown type of authentication', { authentication: { type: 'oauth' } }],
    ['an unknown field', { other: 1 }],
  ])('return 400 for %s', async (_, change) => {
    await expect(create(customer, change)).rejects.toMatchObject(badRequest);
    expect((await list()).data).toEqual([]);
  });

  it('accept 32 actions', async () => {
    const actions = Array.from({ length: 32 }, (_, n) => ({ ...action, name: `a${n}` }));
    expect((await created(customer, { actions })).actions).toHaveLength(32);
  });

  it('can be sent back as read, which changes only updated_at; omitted fields are kept', async () => {
    const agentId = await customer.agent();
    const one = await created();
    const { updated_at: _before, ...same } = one;
    const { body, etag } = await update(one.connection_id, { ...one });
    expect(body).toMatchObject(same);
    expect((await update(one.connection_id, { name: 'Desk' }, customer, etag)).body).toMatchObject({
      ...same,
      name: 'Desk',
    });
    await expect(update(one.connection_id, { name: 'Late' }, customer, etag)).rejects.toMatchObject(conflict);
    expect(await opened(one.connection_id, agentId)).toMatchObject([
      { authentication: { type: 'bearer', token: 'CONNECTION-SECRET' } },
    ]);
  });

  it('a secret can be replaced and removed, and must be sent again if the server changes', async () => {
    const agentId = await customer.agent();
    const { connection_id: id } = await created();
    const authentication = async () => (await opened(id, agentId))[0]?.['authentication'];
    await update(id, { authentication: { type: 'bearer', token: 'SECOND' } });
    expect(await authentication()).toEqual({ type: 'bearer', token: 'SECOND' });
    await expect(update(id, { base_url: 'https://evil.example' })).rejects.toMatchObject(badRequest);
    const hidden = { type: 'bearer', token: '***' };
    await expect(update(id, { base_url: 'https://evil.example', authentication: hidden })).rejects.toMatchObject(
      badRequest,
    );
    await update(id, { base_url: 'https://crm.example.com/v2' });
    expect(await authentication()).toEqual({ type: 'bearer', token: 'SECOND' });
    await expect(update(id, { authentication: { type: 'header', name: 'X', value: '***' } })).rejects.toMatchObject(
      badRequest,
    );
    await update(id, { authentication: { type: 'header', name: 'X-Key', value: 'third' } });
    await expect(
      update(id, { authentication: { type: 'header', name: 'X-Other', value: '***' } }),
    ).rejects.toMatchObject(badRequest);
    await update(id, { authentication: { type: 'header', name: 'x-key', value: '***' } });
    expect(await authentication()).toEqual({ type: 'header', name: 'x-key', value: 'third' });
    await update(id, { base_url: 'https://other.example', authentication: { type: 'none' } });
    expect(await authentication()).toEqual({ type: 'none' });
  });

  it('a connection of another organization returns the same 404 as an unknown id', async () => {
    const other = platform.customer();
    const theirs = await created(other);
    for (const id of [theirs.connection_id, newId('con'), 'nonsense']) {
      await expect(read(id)).rejects.toMatchObject(notFound);
      await expect(update(id, { name: 'Mine' })).rejects.toMatchObject(notFound);
      await expect(remove(id)).rejects.toMatchObject(notFound);
    }
    expect((await read(theirs.connection_id, other)).body).toEqual(theirs);
    const forOther = { organization_id: other.organizationId };
    await expect(create(customer, forOther)).rejects.toMatchObject({ status: 403 });
    const mine = await created();
    await expect(update(mine.connection_id, forOther)).rejects.toMatchObject({ status: 403 });
    await expect(update(mine.connection_id, { project_id: newId('prj') })).rejects.toMatchObject({ status: 403 });
    const asOperator = await customer.ask(routes.getConnection, at(theirs.connection_id), operator);
    expect(asOperator.body).toEqual(theirs);
    // A call of another organization or project does not receive it either.
    expect(await opened(theirs.connection_id, await customer.agent())).toEqual([]);
    const elsewhere = await created(customer, { project_id: newId('prj') });
    expect(await opened(elsewhere.connection_id, await customer.agent())).toEqual([]);
  });

  it('can be deleted, but not while a tool of an agent uses them', async () => {
    const one = await created();
    const agentId = await customer.agent({ tools: [tool(one.connection_id)] });
    await expect(remove(one.connection_id)).rejects.toMatchObject(conflict);
    await customer.update(agentId, { tools: [] });
    const { etag } = await read(one.connection_id);
    await expect(remove(one.connection_id, customer, '"other"')).rejects.toMatchObject(conflict);
    expect((await remove(one.connection_id, customer, etag)).body).toEqual(one);
    await expect(read(one.connection_id)).rejects.toMatchObject(notFound);
    await expect(remove(one.connection_id)).rejects.toMatchObject(notFound);
  });

  it('a tool with an unknown or foreign connection, or an unknown action, returns 400 with its path on every route', async () => {
    const { connection_id: id } = await created();
    const agentId = await customer.agent();
    const elsewhere = await created(customer, { project_id: newId('prj') });
    const foreign = await created(platform.customer());
    const tools = [
      tool(id),
      tool(id, { action: 'delete_all' }),
      tool(newId('con'), { name: 'absent' }),
      tool(elsewhere.connection_id, { name: 'elsewhere' }),
      tool(foreign.connection_id, { name: 'foreign' }),
    ];
    const refused = (asked: Promise<unknown>, within = '') =>
      expect(asked).rejects.toMatchObject({
        ...badRequest,
        fields: {
          errors: ['[1].action', '[2].connection_id', '[3].connection_id', '[4].connection_id'].map((path) => ({
            path: `${within}tools${path}`,
            code: 'not_allowed',
          })),
        },
      });
    const params = { agent_id: agentId };
    const { etag } = await customer.get(agentId);
    await refused(customer.create({ tools }));
    await refused(customer.update(agentId, { tools }));
    await refused(customer.save(agentId, { tools }));
    await refused(customer.preview(agentId, { tools }));
    for (const [part, body] of [
      ['agent.', { agent: { tools }, voice_stack: {} }],
      ['voice_stack.', { agent: {}, voice_stack: { tools } }],
    ] as const) {
      await refused(customer.ask(routes.saveAgentConfiguration, { params, body }), part);
      await refused(customer.ask(routes.previewAgent, { body: { project_id: customer.projectId, ...body } }), part);
    }
    expect((await customer.get(agentId)).etag).toBe(etag);
  });

  it('a tool that is sent back as read is kept after its connection vanished, with a warning, and no other one can use it', async () => {
    const { connection_id: id } = await created();
    const { connection_id: other } = await created();
    const agentId = await customer.agent({ tools: [tool(id), tool(other, { name: 'second' })] });
    await platform.rows('delete from connections where connection_id = $1', [id]);
    await update(other, { actions: [{ ...action, name: 'renamed' }] });
    const { body: read } = await customer.get(agentId);
    await customer.update(agentId, { ...read, tools: read['tools'] });
    const { body: stack } = await customer.save(agentId, { tools: read['tools'] });
    expect((await customer.get(agentId)).body['tools']).toEqual(read['tools']);
    const warnings = stack['warnings'] as string[];
    expect(warnings.filter((text) => text.startsWith('connection_')).map((text) => text.split(':')[0])).toEqual([
      'connection_unknown',
      'connection_action_unknown',
    ]);
    for (const change of [{ irreversible: true }, { name: 'third' }])
      await expect(customer.update(agentId, { tools: [tool(id, change)] })).rejects.toMatchObject(badRequest);
    await customer.update(agentId, { tools: [tool(other, { action: 'renamed' })] });
  });
});

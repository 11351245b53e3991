import { AppError } from '@parley/errors';
import { nameOfTool, openedTool, sealedHeaderContext, type StoredTool } from '@parley/contract';
import { jsonOf, newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const secret = 'Bearer TOOL-SECRET';
const tool = (fields: Json = {}): Json => ({
  type: 'webhook',
  name: 'crm',
  description: 'Looks a customer up',
  parameters: { type: 'object', properties: { number: { type: 'string' } } },
  url: 'https://tools.example.com/crm',
  method: 'POST',
  headers: { Authorization: secret, 'X-Team': 'blue' },
  ...fields,
});
const hidden = { Authorization: '***', 'X-Team': '***' };

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
  );

describe('header values of webhook tools', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });
  afterAll(() => platform.stop());

  /** The tools as a worker receives them, with decrypted headers. */
  const opened = async (agentId: string): Promise<Json[]> => {
    const { tuning } = await customer.forCall(agentId);
    const { tools } = jsonOf<{ tools: StoredTool[] }>(tuning);
    const open = (tool: StoredTool) =>
      openedTool(tool, (header, sealed) => {
        const context = sealedHeaderContext(customer.organizationId, agentId, nameOfTool(tool), header);
        return platform.dependencies.vault.open(Buffer.from(sealed, 'base64'), context).toString();
      });
    return JSON.parse(JSON.stringify(tools.map(open))) as Json[];
  };
  const stored = async (agentId: string): Promise<string> =>
    JSON.stringify(
      await platform.rows(
        `select agents.*, (select json_agg(idempotency) from idempotency) as stored,
          (select json_agg(agent_publications) from agent_publications) as history
        from agents where organization_id = $1 and agent_id = $2`,
        [customer.organizationId, agentId],
      ),
    );
  const headersOf = ({ body }: { body: Json }): unknown => body.tools[0].headers;

  it('are stored encrypted and returned as "***" by every route; calls receive them encrypted', async () => {
    const created = await customer.create({ tools: [tool()] }, newId('key'));
    const agentId = String(created.body.agent_id);
    const saved = await customer.save(agentId, { languages: ['en'], tools: [tool({ description: 'Another' })] });
    const answers = [
      created.body,
      saved.body,
      (await customer.get(agentId)).body,
      (await customer.stack(agentId)).body,
      { ...(await customer.list()) } as Json,
      (await customer.update(agentId, { name: 'renamed' })).body,
      await customer.publication(agentId, '1'),
      await customer.diff(agentId, '1', 0),
      await customer.preview(agentId, { tools: [tool({ headers: { Authorization: 'Bearer OTHER-SECRET' } })] }),
    ];
    for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/SECRET|blue/);
    expect(headersOf(created)).toEqual(hidden);
    expect(headersOf(await customer.get(agentId))).toEqual(hidden);
    expect(JSON.stringify(await customer.publication(agentId, '1'))).not.toMatch(/SECRET|blue/);
    expect(await stored(agentId)).not.toMatch(/SECRET|blue/);
    expect(JSON.stringify(jsonOf((await customer.forCall(agentId)).tuning))).not.toMatch(/SECRET|blue/);
    expect((await opened(agentId))[0]?.headers).toEqual({ Authorization: secret, 'X-Team': 'blue' });
  });

  it('"***" keeps a value, others are replaced or removed individually; sending back what was read changes nothing', async () => {
    const agentId = await customer.agent({ tools: [tool()] });
    const read = await customer.get(agentId);
    const { tools } = read.body;
    expect((await customer.update(agentId, { tools, expected_tools: tools })).etag).toBe(read.etag);
    expect((await customer.update(agentId, { tools: [tool()] })).etag).toBe(read.etag);
    await customer.save(agentId, {
      tools: [tool({ headers: { authorization: '***', 'X-New': 'green' } })],
      expected_tools: tools,
    });
    expect((await opened(agentId))[0]?.headers).toEqual({ authorization: secret, 'X-New': 'green' });
    await customer.update(agentId, { tools: [tool({ headers: { authorization: 'Bearer NEXT', 'X-New': '***' } })] });
    expect((await opened(agentId))[0]?.headers).toEqual({ authorization: 'Bearer NEXT', 'X-New': 'green' });
  });

  it('"***" does not send a stored value to another server: 400; another path of the same server keeps it', async () => {
    const agentId = await customer.agent({ tools: [tool()] });
    const before = await customer.get(agentId);
    for (const url of ['https://evil.example.com/crm', 'https://tools.example.com:8443/crm']) {
      const tools = [tool({ url, headers: { Authorization: '***' } })];
      expect(await code(customer.update(agentId, { tools }))).toBe('400 BadRequestError');
      expect(await code(customer.save(agentId, { tools }))).toBe('400 BadRequestError');
      expect(await code(customer.preview(agentId, { tools }))).toBe('400 BadRequestError');
    }
    expect((await customer.get(agentId)).etag).toBe(before.etag);
    const moved = { url: 'https://tools.example.com/v2/crm' };
    await customer.update(agentId, { tools: [tool({ ...moved, headers: hidden })] });
    expect((await opened(agentId))[0]).toMatchObject({
      ...moved,
      headers: { Authorization: secret, 'X-Team': 'blue' },
    });
    const elsewhere = { url: 'https://other.example.com/crm', headers: { Authorization: 'Bearer NEW-SECRET' } };
    await customer.update(agentId, { tools: [tool(elsewhere)] });
    expect((await opened(agentId))[0]).toMatchObject(elsewhere);
  });

  it('"***" without a stored value returns 400, and in expected_tools it counts as a difference', async () => {
    const agentId = await customer.agent({ tools: [tool()] });
    const before = await customer.get(agentId);
    for (const tools of [
      [tool({ headers: { 'X-Other': '***' } })],
      [tool({ name: 'other', headers: { Authorization: '***' } })],
    ]) {
      expect(await code(customer.create({ tools }))).toBe('400 BadRequestError');
      expect(await code(customer.update(agentId, { tools }))).toBe('400 BadRequestError');
      expect(await code(customer.save(agentId, { tools }))).toBe('400 BadRequestError');
      expect(await code(customer.preview(agentId, { tools }))).toBe('400 BadRequestError');
    }
    const expected = [{ ...before.body.tools[0], headers: { Authorization: '***' } }];
    expect(await code(customer.update(agentId, { tools: [], expected_tools: expected }))).toBe(
      '409 AgentToolsChangedError',
    );
    expect((await customer.get(agentId)).etag).toBe(before.etag);
  });

  it.each([
    ['Host', false],
    ['content-length', false],
    ['Transfer-Encoding', false],
    ['CONNECTION', false],
    ['webhook-signature', false],
    ['Webhook-Id', false],
    ['X-Host', true],
    ['Webhooks', true],
  ])('the header %s is accepted: %s', async (header, may) => {
    const tools = [tool({ headers: { [header]: 'x' } })];
    expect(await code(customer.create({ tools }))).toBe(may ? 'accepted' : '400 BadRequestError');
    const agentId = await customer.agent();
    expect(await code(customer.save(agentId, { tools }))).toBe(may ? 'accepted' : '400 BadRequestError');
  });
});

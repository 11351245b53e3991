import { allRoutes } from '@parley/contract';
import { toolNameOf } from '../src/mcp/tool';
import { toolsets } from '../src/mcp/toolsets';
import { BareMcp, rpc } from './mcp-client';
import { TestGateway, type Answer } from './test-gateway';

const kibibyte = 1024;

/** docs/reference/mcp.md: the lists of tools that a client reads first. */
describe('MCP toolsets', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
  });
  afterAll(() => gateway.stop());

  const listed = async (query: string): Promise<{ answer: Answer; names: string[]; texts: string[] }> => {
    const answer = await new BareMcp(gateway, token, `/mcp${query}`).post(rpc('tools/list'));
    const { tools = [] } = (answer.body.result ?? {}) as { tools?: { name: string }[] };
    return { answer, names: tools.map(({ name }) => name), texts: tools.map((tool) => JSON.stringify(tool)) };
  };

  it('without a query, contain every tool without output schemas, in at most 128 KiB', async () => {
    const { answer, names, texts } = await listed('');
    expect(names.length).toBeGreaterThan(50);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(128 * kibibyte);
    expect(texts.filter((text) => text.includes('"outputSchema"'))).toEqual([]);
  });

  it.each(toolsets)('the list of %s has at most 64 KiB, with and without output schemas', async (toolset) => {
    for (const query of [`?toolsets=${toolset}`, `?toolsets=${toolset}&output_schemas=true`]) {
      const { answer, names } = await listed(query);
      expect([answer.status, names.length > 0]).toEqual([200, true]);
      expect([query, Buffer.byteLength(answer.text) <= 64 * kibibyte]).toEqual([query, true]);
    }
  });

  it('all together contain each tool once, with the same text as the complete list', async () => {
    const parts = (await Promise.all(toolsets.map((toolset) => listed(`?toolsets=${toolset}`)))).flatMap(
      ({ texts }) => texts,
    );
    expect(parts.sort()).toEqual((await listed('')).texts.sort());
    const several = await listed(`?toolsets=${toolsets.join(',')}`);
    expect(several.texts.sort()).toEqual(parts);
  });

  it('can be combined in any order and repeated, with the same result', async () => {
    const queries = ['?toolsets=calls,agents', '?toolsets=agents&toolsets=calls', '?toolsets=agents,%20calls,agents'];
    const lists = await Promise.all(queries.map((query) => listed(query)));
    for (const { names } of lists) expect(names).toEqual(lists[0]?.names);
    expect(lists[0]?.names).toEqual(expect.arrayContaining(['list_agents', 'get_agent_catalog', 'place_call']));
    expect(lists[0]?.names).not.toContain('list_campaigns');
  });

  it('limit the list, but not which tools can be called', async () => {
    const client = new BareMcp(gateway, token, '/mcp?toolsets=calls');
    expect((await client.call('list_agents')).isError).toBeUndefined();
  });

  it('contain output schemas with ?output_schemas=true', async () => {
    const { texts } = await listed('?toolsets=agents&output_schemas=true');
    expect(texts.filter((text) => !text.includes('"outputSchema":{'))).toEqual([]);
  });

  it.each([
    ['an unknown toolset', '?toolsets=agents,wallet', [...toolsets]],
    ['an empty toolset', '?toolsets=', [...toolsets]],
    ['an unknown parameter', '?toolset=agents', ['toolsets', 'output_schemas']],
    ['a value of output_schemas other than true or false', '?output_schemas=1', ['true', 'false']],
  ])('refuse %s with 400 and the list of valid values', async (_what, query, known) => {
    const { answer } = await listed(query);
    expect([answer.status, answer.body.error]).toEqual([400, 'BadRequestError']);
    for (const name of known) expect(answer.body.message).toContain(name);
  });

  it('contain no route that is declared with mcp: false', async () => {
    const { names } = await listed('');
    const kept = allRoutes.filter(({ mcp }) => !mcp).map((route) => toolNameOf(route));
    expect(names.filter((name) => kept.includes(name))).toEqual([]);
  });

  it('contain no tool that requires a scope for keys, wallet, numbers, operators or workers', async () => {
    const { names } = await listed('');
    const scopes = allRoutes.filter((route) => names.includes(toolNameOf(route))).map(({ scope }) => scope ?? '');
    expect(
      scopes.filter((scope) => /^(api_keys|wallet|operator|numbers|provider_mutations|worker_jobs):/.test(scope)),
    ).toEqual([]);
  });
});

import { allRoutes, type AnyRoute } from '@parley/contract';
import { AppError } from '@parley/errors';
import { isTool, toolNameOf } from '../src/mcp/tool';
import { BareMcp } from './mcp-client';
import { argumentsOf } from './tool-samples';
import { TestGateway } from './test-gateway';

const named: [string, AnyRoute][] = allRoutes.filter(isTool).map((route) => [toolNameOf(route), route]);
const signing = `whsec_${'c2VjcmV0'.repeat(4)}`;
const key = `tai_${'k'.repeat(38)}`;
const gatewayToken = `tgw_${'g'.repeat(38)}`;
const header = 'Bearer TOOL-SECRET';
const tool = {
  type: 'webhook',
  name: 'book',
  url: 'https://a.example',
  headers: { Authorization: header },
  secret: signing,
};

/** docs/reference/mcp.md#out-of-reach: no MCP result carries a secret. */
describe('MCP results', () => {
  let gateway: TestGateway;
  let mcp: BareMcp;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    mcp = new BareMcp(gateway, gateway.services.token());
  });
  afterAll(() => gateway.stop());
  afterEach(() => (gateway.services.overrides = {}));

  const answering = (route: string, body: object): void => {
    gateway.services.overrides = { forwarded: { [route]: async () => ({ body: JSON.stringify(body) }) } };
  };

  it.each(named)('of %s contain no signing secret, key or token, at any depth of the answer', async (name, route) => {
    if (route.service === undefined) return;
    answering(route.id, {
      secret: signing,
      list: [{ deep: { text: `use ${signing}, ${key} and ${gatewayToken}.` } }],
      [signing]: key,
    });
    const result = await mcp.call(name, argumentsOf(route));
    expect(result.isError).toBeUndefined();
    const text = JSON.stringify(result);
    for (const secret of [signing, key, gatewayToken]) expect(text).not.toContain(secret);
    expect(result.structuredContent).toEqual(JSON.parse(result.content[0]?.text ?? ''));
  });

  it.each<[string, string, object, object]>([
    [
      'create_agent_endpoint',
      'create-agent-endpoint',
      { agent_endpoint_id: 'ep_x', secret: 'any' },
      { agent_endpoint_id: 'ep_x' },
    ],
    [
      'create_agent',
      'create-agent',
      { agent_id: 'agt_x', tools: ['end_call', tool] },
      { agent_id: 'agt_x', tools: ['end_call', { ...tool, headers: { Authorization: '***' }, secret: undefined }] },
    ],
    [
      'update_agent',
      'update-agent',
      { tools: [tool] },
      { tools: [{ ...tool, headers: { Authorization: '***' }, secret: undefined }] },
    ],
    [
      'get_publication',
      'get-publication',
      { content: { tools: [tool] } },
      { content: { tools: [{ ...tool, headers: { Authorization: '***' }, secret: 'whsec_***' }] } },
    ],
  ])('of %s omit or mask the secret and mention it in secrets_note', async (name, id, body, expected) => {
    answering(id, body);
    const route = named.find(([one]) => one === name)?.[1] as AnyRoute;
    const { structuredContent } = await mcp.call(name, argumentsOf(route));
    const { secrets_note: note, ...rest } = structuredContent ?? {};
    expect([typeof note, rest]).toEqual(['string', JSON.parse(JSON.stringify(expected))]);
    expect(JSON.stringify(structuredContent)).not.toContain(header);
  });

  it('have no secrets_note if no secret was removed', async () => {
    answering('create-agent', { agent_id: 'agt_x', tools: ['end_call'] });
    const route = named.find(([one]) => one === 'create_agent')?.[1] as AnyRoute;
    expect((await mcp.call('create_agent', argumentsOf(route))).structuredContent).toEqual({
      agent_id: 'agt_x',
      tools: ['end_call'],
    });
  });

  it('contain no secret if they are errors', async () => {
    gateway.services.overrides = {
      forwarded: {
        'get-agent': async () => {
          throw new AppError('BadRequestError', `${signing} is wrong`);
        },
      },
    };
    const result = await mcp.call('get_agent', { agent_id: 'agt_x' });
    expect([result.isError, JSON.stringify(result).includes(signing)]).toEqual([true, false]);
  });

  it('do not affect REST, which answers the creation of an endpoint with its secret', async () => {
    answering('create-agent-endpoint', { agent_endpoint_id: 'ep_x', secret: signing });
    const route = named.find(([one]) => one === 'create_agent_endpoint')?.[1] as AnyRoute;
    const body = { ...argumentsOf(route) };
    const answer = await gateway.request('POST', '/v1/agent-endpoints', { token: gateway.services.token(), body });
    expect([answer.status, answer.body.secret]).toEqual([201, signing]);
  });
});

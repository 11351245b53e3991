import { newId, type Caller } from '@parley/runtime';
import { LargeMessages } from '../src/mcp/large-messages';
import { BareMcp, rpc, type ToolResult } from './mcp-client';
import { TestGateway } from './test-gateway';

const limit = 64 * 1024;
/** Close to 1 MiB of small values, which take long to parse. */
const many = Array.from({ length: 120_000 }, (_, index) => [index]);
const filler = (bytes: number): string => 'x'.repeat(bytes);
const nearTheLimit = 1024 * 1024 - 1024;
const call = (name: string, given: object) => rpc('tools/call', { name, arguments: given });
const updateAgent = (bytes: number) => call('update_agent', { agent_id: newId('agt'), system_prompt: filler(bytes) });

describe('an MCP message over 64 KiB', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start();
  });
  afterAll(() => gateway.stop());
  const client = (scopes: string[]) => new BareMcp(gateway, gateway.services.token({ scopes }));

  it.each<[string, string[], object | string]>([
    ['of a key with read scopes only', ['agents:read'], updateAgent(nearTheLimit)],
    ['for a tool that takes no body', ['all'], call('get_agent', { agent_id: filler(nearTheLimit) })],
    ['for an unknown tool', ['all'], call('nothing', { a: filler(nearTheLimit) })],
    ['of a method other than tools/call', ['all'], rpc('tools/list', { cursor: filler(nearTheLimit) })],
    [
      'that is a notification',
      ['all'],
      { jsonrpc: '2.0', method: 'notifications/x', params: { a: filler(nearTheLimit) } },
    ],
    ['that is not JSON', ['all'], `{"a":"${filler(nearTheLimit)}`],
    [
      'with the arguments before the tool name',
      ['all'],
      { ...rpc('tools/call'), params: { arguments: { a: filler(nearTheLimit) }, name: 'update_agent' } },
    ],
  ])('%s is 413', async (_what, scopes, body) => {
    const answer = await client(scopes).post(body);
    expect([answer.status, answer.body.error]).toEqual([413, 'PayloadTooLargeError']);
  });

  it('for a tool whose scope is missing gets the same result as a small message', async () => {
    const scopes = ['agents:read', 'calls:write'];
    const [large, small] = [
      await client(scopes).post(updateAgent(nearTheLimit)),
      await client(scopes).post(updateAgent(1)),
    ];
    expect((large.body.result as ToolResult).isError).toBe(true);
    expect(large.body).toEqual(small.body);
  });

  it.each([limit - 1_000, limit + 1_000])(
    'for a tool with a body is executed if the key has its scope, with %d bytes of arguments',
    async (bytes) => {
      const given: unknown[] = [];
      gateway.services.overrides = {
        forwarded: {
          'update-agent': async (request: unknown) => {
            given.push(request);
            throw new Error('seen');
          },
        },
      };
      await client(['agents:read', 'agents:write']).post(updateAgent(bytes));
      gateway.services.overrides = {};
      expect(given).toHaveLength(1);
    },
  );

  it.each<[string, object]>([
    ['an unknown tool', call('nothing', { a: many })],
    ['a method other than tools/call', rpc('tools/list', { cursor: many })],
    ['arguments before the tool name', { ...rpc('tools/call'), params: { arguments: { a: many } } }],
  ])('is refused without being parsed: %s', (_what, body) => {
    const large = new LargeMessages(new Map());
    const bytes = Buffer.from(JSON.stringify(body));
    const caller: Caller = { keyId: 'key', organizationId: 'org', kind: 'customer', scopes: ['agents:write'] };
    const parse = jest.spyOn(JSON, 'parse');
    const decode = jest.spyOn(bytes, 'toString');
    try {
      expect(() => large.refused(bytes, caller)).toThrow(expect.objectContaining({ code: 'PayloadTooLargeError' }));
      const texts = [
        ...parse.mock.calls.map(([text]) => text),
        ...decode.mock.results.map(({ value }) => String(value)),
      ];
      expect(texts.filter((text) => text.length > limit)).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });
});

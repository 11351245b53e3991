import { BareMcp, envelope, modernVersion, rpc } from './mcp-client';
import { TestGateway } from './test-gateway';

const allowedOrigin = 'https://console.example';

/** docs/reference/mcp.md: POST /mcp as both eras of the protocol demand it. */
describe('MCP over HTTP', () => {
  let gateway: TestGateway;
  let mcp: BareMcp;

  beforeAll(async () => {
    gateway = await TestGateway.start({ mcpAllowedOrigins: [allowedOrigin] });
    mcp = new BareMcp(gateway, gateway.services.token());
  });
  afterAll(() => gateway.stop());

  const versioned = (method: string, name?: string) => ({
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  });
  const call = (name: string) => rpc('tools/call', { name, arguments: {}, ...envelope() });
  const list = (version?: string) => rpc('tools/list', envelope(version));

  it.each(['text/plain', 'application/x-www-form-urlencoded', undefined])(
    'MCP: a bare call without Accept works, its content type being %s',
    async (type) => {
      const body = Buffer.from(JSON.stringify(rpc('tools/call', { name: 'list_agents', arguments: {} })));
      const answer = await mcp.post(body, type === undefined ? {} : { 'content-type': type });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { structuredContent: { sample: true } } });
    },
  );

  it.each([
    ['a revision that it serves', '2025-06-18', '2025-06-18'],
    ['a revision that no one serves', '1999-01-01', '2025-11-25'],
  ])('the 2025 handshake with %s', async (_what, protocolVersion, answered) => {
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await mcp.post(rpc('initialize', hello));
    expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
    expect(answer.body.result).toMatchObject({ protocolVersion: answered, capabilities: { tools: {} } });
  });

  it('the 2026 discovery', async () => {
    const answer = await mcp.post(rpc('server/discover', envelope()), versioned('server/discover'));
    expect(answer.body.result).toMatchObject({ supportedVersions: [modernVersion], capabilities: { tools: {} } });
  });

  it.each([
    ['known, 2025', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
    ['unknown, 2025', { jsonrpc: '2.0', method: 'notifications/other' }, {}],
    ['an answer, 2025', { jsonrpc: '2.0', id: 1, result: {} }, {}],
    [
      'known, 2026',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, ...envelope() } },
      versioned('notifications/cancelled'),
    ],
  ])('a notification (%s) is 202 without a body', async (_what, body, headers) => {
    const answer = await mcp.post(body, headers);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  const errors: [string, object | string, Record<string, string>, number, number][] = [
    ['2025: an unknown method', rpc('other'), {}, 200, -32601],
    ['2025: resources, which are not offered', rpc('resources/list'), {}, 200, -32601],
    ['2025: an unknown revision', rpc('tools/list'), { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
    ['2026: an unknown method', rpc('other', envelope()), versioned('other'), 404, -32601],
    ['2026: the handshake of 2025', rpc('initialize', envelope()), versioned('initialize'), 404, -32601],
    [
      '2026: an unknown revision',
      list('2027-01-01'),
      { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'tools/list' },
      400,
      -32022,
    ],
    ['2026: no envelope', rpc('tools/list'), versioned('tools/list'), 400, -32602],
    ['2026: no headers', list(), {}, 400, -32020],
    ['2026: another Mcp-Method', list(), versioned('tools/call'), 400, -32020],
    [
      '2026: another revision in the header',
      list(),
      { ...versioned('tools/list'), 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    ['2026: another Mcp-Name', call('list_agents'), versioned('tools/call', 'place_call'), 400, -32020],
    ['2026: no Mcp-Name', call('list_agents'), versioned('tools/call'), 400, -32020],
    [
      '2026: a stream of changes, which there are none of',
      rpc('subscriptions/listen', { notifications: { toolsListChanged: true }, ...envelope() }),
      versioned('subscriptions/listen'),
      200,
      -32603,
    ],
    ['no JSON', '{', {}, 400, -32700],
    ['nothing', '', {}, 400, -32700],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', {}, 400, -32600],
    ['no object', 'null', {}, 400, -32600],
    ['an empty batch', '[]', {}, 400, -32600],
    ['a batch of one', [rpc('ping')], {}, 400, -32600],
    ['a batch of a revision that knew them', [rpc('ping')], { 'mcp-protocol-version': '2025-03-26' }, 400, -32600],
    ['a batch of 2026', [list(), call('list_agents')], versioned('tools/list'), 400, -32600],
    ['a batch after space', ' \n\t[', {}, 400, -32600],
    ['bytes that are no text', '\u0000', {}, 400, -32600],
    ['an unknown tool', rpc('tools/call', { name: 'create_number', arguments: {} }), {}, 200, -32602],
    ['arguments that are no object', rpc('tools/call', { name: 'list_agents', arguments: [] }), {}, 200, -32602],
    ['a call of no tool', rpc('tools/call', {}), {}, 200, -32602],
    ['a cursor that is none', rpc('tools/list', { cursor: 'zzz' }), {}, 200, -32602],
  ];
  it.each(errors)('MCP clients: %s', async (_what, body, headers, status, code) => {
    const before = gateway.services.callsOf('list-agents').length;
    const answer = await mcp.post(body, headers);
    expect([answer.status, answer.body]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
    expect(gateway.services.callsOf('list-agents')).toHaveLength(before);
  });

  it('2026: a call whose headers agree works', async () => {
    const answer = await mcp.post(call('list_agents'), versioned('tools/call', 'list_agents'));
    expect([answer.status, answer.body.result]).toMatchObject([200, { structuredContent: { sample: true } }]);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s is 405 before the key is looked at', async (method) => {
    const answer = await gateway.request(method, '/mcp');
    expect([answer.status, answer.headers.allow, answer.body]).toMatchObject([
      405,
      'POST',
      { error: 'method_not_allowed', allow: ['POST'] },
    ]);
  });

  it.each([undefined, 'tai_unknown'])('no key or an unknown one is 401 over MCP: %s', async (token) => {
    const answer = await gateway.request('POST', '/mcp', { token, body: rpc('tools/list') });
    expect([answer.status, answer.body.error]).toEqual([401, 'UnauthorizedError']);
  });

  it('a key that was revoked is 401 over MCP', async () => {
    const token = gateway.services.token();
    gateway.services.forget(token);
    expect((await gateway.request('POST', '/mcp', { token, body: rpc('tools/list') })).status).toBe(401);
  });

  it.each([
    [undefined, 200],
    [allowedOrigin, 200],
    ['https://console.example.evil', 403],
    ['http://console.example', 403],
    ['null', 403],
    ['', 403],
  ])('an Origin %s is %i', async (origin, status) => {
    const answer = await mcp.post(rpc('ping'), origin === undefined ? {} : { origin });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.error).toBe('ForbiddenError');
  });

  it('a foreign Origin is refused before the key is looked at', async () => {
    const options = { body: rpc('ping'), headers: { origin: 'https://evil.example' } };
    expect((await gateway.request('POST', '/mcp', options)).status).toBe(403);
  });

  it.each([
    ['a coded body', { 'content-encoding': 'gzip' }, 10, 415, 'UnsupportedMediaTypeError'],
    ['a body over 1 MiB', {}, 1024 * 1024 + 1, 413, 'PayloadTooLargeError'],
  ])('%s over MCP', async (_what, headers, length, status, error) => {
    const answer = await mcp.post(Buffer.alloc(length, ' '), headers);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('a body of exactly 1 MiB is read', async () => {
    const text = JSON.stringify(rpc('tools/call', { name: 'update_agent', arguments: {} })).padEnd(1024 * 1024, ' ');
    expect((await mcp.post(text)).status).toBe(200);
  });

  it.each([
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
    'openid-configuration',
  ])('/.well-known/%s is a JSON 404, so that clients go on with the key', async (name) => {
    const answer = await gateway.request('GET', `/.well-known/${name}`);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('every answer carries a request id and is stored nowhere', async () => {
    const { headers } = await mcp.post(rpc('ping'));
    expect([typeof headers['x-request-id'], headers['cache-control']]).toEqual(['string', 'no-store']);
  });
});

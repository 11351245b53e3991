import { BareMcp, envelope, modernVersion, rpc } from './mcp-client';
import { TestGateway } from './test-gateway';

const allowedOrigin = 'https://console.example';

/** docs/reference/mcp.md: POST /mcp in the protocol revisions of 2025 and 2026. */
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
    'serves a call without Accept and handshake, with the content type %s',
    async (type) => {
      const body = Buffer.from(JSON.stringify(rpc('tools/call', { name: 'list_agents', arguments: {} })));
      const answer = await mcp.post(body, type === undefined ? {} : { 'content-type': type });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { structuredContent: { sample: true } } });
    },
  );

  it.each([
    ['a supported protocol revision', '2025-06-18', '2025-06-18'],
    ['an unknown protocol revision', '1999-01-01', '2025-11-25'],
  ])('answers the handshake of 2025 with %s', async (_what, protocolVersion, answered) => {
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await mcp.post(rpc('initialize', hello));
    expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
    expect(answer.body.result).toMatchObject({ protocolVersion: answered, capabilities: { tools: {} } });
  });

  it('answers server/discover of MCP revision 2026-07-28 with the supported revisions', async () => {
    const answer = await mcp.post(rpc('server/discover', envelope()), versioned('server/discover'));
    expect(answer.body.result).toMatchObject({ supportedVersions: [modernVersion], capabilities: { tools: {} } });
  });

  it.each([
    ['a known notification, 2025', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
    ['an unknown notification, 2025', { jsonrpc: '2.0', method: 'notifications/other' }, {}],
    ['a JSON-RPC response, 2025', { jsonrpc: '2.0', id: 1, result: {} }, {}],
    [
      'a known notification, 2026',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, ...envelope() } },
      versioned('notifications/cancelled'),
    ],
  ])('answers 202 without a body to %s', async (_what, body, headers) => {
    const answer = await mcp.post(body, headers);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  const errors: [string, object | string, Record<string, string>, number, number][] = [
    ['2025: an unknown method', rpc('other'), {}, 200, -32601],
    ['2025: resources/list, which is not supported', rpc('resources/list'), {}, 200, -32601],
    ['2025: an unknown protocol revision', rpc('tools/list'), { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
    ['2026: an unknown method', rpc('other', envelope()), versioned('other'), 404, -32601],
    ['2026: the handshake of 2025', rpc('initialize', envelope()), versioned('initialize'), 404, -32601],
    [
      '2026: an unknown protocol revision',
      list('2027-01-01'),
      { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'tools/list' },
      400,
      -32022,
    ],
    ['2026: no _meta envelope in the parameters', rpc('tools/list'), versioned('tools/list'), 400, -32602],
    ['2026: no MCP headers', list(), {}, 400, -32020],
    ['2026: Mcp-Method differs from the body', list(), versioned('tools/call'), 400, -32020],
    [
      '2026: the protocol revision in the header differs from the body',
      list(),
      { ...versioned('tools/list'), 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    ['2026: Mcp-Name differs from the body', call('list_agents'), versioned('tools/call', 'place_call'), 400, -32020],
    ['2026: no Mcp-Name', call('list_agents'), versioned('tools/call'), 400, -32020],
    [
      '2026: subscriptions/listen, which is not supported',
      rpc('subscriptions/listen', { notifications: { toolsListChanged: true }, ...envelope() }),
      versioned('subscriptions/listen'),
      200,
      -32603,
    ],
    ['text that is not JSON', '{', {}, 400, -32700],
    ['an empty body', '', {}, 400, -32700],
    ['a repeated field', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', {}, 400, -32600],
    ['null', 'null', {}, 400, -32600],
    ['an empty batch', '[]', {}, 400, -32600],
    ['a batch of one', [rpc('ping')], {}, 400, -32600],
    [
      'a batch in the revision 2025-03-26, which had batches',
      [rpc('ping')],
      { 'mcp-protocol-version': '2025-03-26' },
      400,
      -32600,
    ],
    ['a batch in the 2026 revision', [list(), call('list_agents')], versioned('tools/list'), 400, -32600],
    ['the beginning of a batch after white space', ' \n\t[', {}, 400, -32600],
    ['a NUL byte', '\u0000', {}, 400, -32600],
    ['an unknown tool', rpc('tools/call', { name: 'create_number', arguments: {} }), {}, 200, -32602],
    ['arguments that are not an object', rpc('tools/call', { name: 'list_agents', arguments: [] }), {}, 200, -32602],
    ['tools/call without a tool name', rpc('tools/call', {}), {}, 200, -32602],
    ['an invalid cursor', rpc('tools/list', { cursor: 'zzz' }), {}, 200, -32602],
  ];
  it.each(errors)(
    'answers with a JSON-RPC error and calls no service: %s',
    async (_what, body, headers, status, code) => {
      const before = gateway.services.callsOf('list-agents').length;
      const answer = await mcp.post(body, headers);
      expect([answer.status, answer.body]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
      expect(gateway.services.callsOf('list-agents')).toHaveLength(before);
    },
  );

  it('2026: executes a call whose headers match the body', async () => {
    const answer = await mcp.post(call('list_agents'), versioned('tools/call', 'list_agents'));
    expect([answer.status, answer.body.result]).toMatchObject([200, { structuredContent: { sample: true } }]);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s is 405, even without a key', async (method) => {
    const answer = await gateway.request(method, '/mcp');
    expect([answer.status, answer.headers.allow, answer.body]).toMatchObject([
      405,
      'POST',
      { error: 'method_not_allowed', allow: ['POST'] },
    ]);
  });

  it.each([undefined, 'tai_unknown'])('answers 401 to a missing or unknown key: %s', async (token) => {
    const answer = await gateway.request('POST', '/mcp', { token, body: rpc('tools/list') });
    expect([answer.status, answer.body.error]).toEqual([401, 'UnauthorizedError']);
  });

  it('answers 401 to a revoked key', async () => {
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
  ])('answers a request with the Origin %s with %i', async (origin, status) => {
    const answer = await mcp.post(rpc('ping'), origin === undefined ? {} : { origin });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.error).toBe('ForbiddenError');
  });

  it('refuses a foreign Origin with 403, even without a key', async () => {
    const options = { body: rpc('ping'), headers: { origin: 'https://evil.example' } };
    expect((await gateway.request('POST', '/mcp', options)).status).toBe(403);
  });

  it.each([
    ['a compressed body', { 'content-encoding': 'gzip' }, 10, 415, 'UnsupportedMediaTypeError'],
    ['a body over 1 MiB', {}, 1024 * 1024 + 1, 413, 'PayloadTooLargeError'],
  ])('refuses %s', async (_what, headers, length, status, error) => {
    const answer = await mcp.post(Buffer.alloc(length, ' '), headers);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('accepts a body of exactly 1 MiB', async () => {
    const text = JSON.stringify(rpc('tools/call', { name: 'update_agent', arguments: {} })).padEnd(1024 * 1024, ' ');
    expect((await mcp.post(text)).status).toBe(200);
  });

  it.each([
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
    'openid-configuration',
  ])('/.well-known/%s is a 404 in JSON, so that clients use the key instead of OAuth', async (name) => {
    const answer = await gateway.request('GET', `/.well-known/${name}`);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('answers contain a request id and Cache-Control: no-store', async () => {
    const { headers } = await mcp.post(rpc('ping'));
    expect([typeof headers['x-request-id'], headers['cache-control']]).toEqual(['string', 'no-store']);
  });
});

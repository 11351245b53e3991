import { routes } from '@parley/contract';
import { requestOf } from './declared-requests';
import { organization } from './fake-services';
import { TestGateway } from './test-gateway';

const MiB = 1024 * 1024;
/** A message template of exactly that many bytes, padded with white space. */
const sized = (bytes: number): string => {
  const start = JSON.stringify(requestOf(routes.createMessageTemplate).body).slice(0, -1);
  return `${start.padEnd(bytes - 1)}}`;
};
const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

/** docs/reference/requests.md: input that is refused before a service is called, and input that is forwarded. */
describe('validation of input', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
  });
  afterAll(() => gateway.stop());

  it.each([
    ['no body', ''],
    ['white space', '  '],
    ['not JSON', '{'],
    ['text after the object', '{} {}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"a"'],
    ['a number', '5'],
    ['a duplicate key', '{"name":"a","name":"b"}'],
    ['a duplicate key, once escaped', '{"name":"a","\\u006eame":"b"}'],
    ['a duplicate key inside', '{"a":{"b":1,"b":2}}'],
    ['a __proto__ key', '{"__proto__":{}}'],
    ['a __proto__ key inside', '{"a":[{"__proto__":1}]}'],
    ['65 levels of nesting', nested(65)],
    ['100,000 levels of nesting', `{"a":${'['.repeat(100_000)}`],
    ['NUL in a value', '{"a":"\\u0000"}'],
    ['NUL in a name', '{"a\\u0000":1}'],
    ['a lone high surrogate', '{"a":"\\ud800"}'],
    ['a lone low surrogate', '{"a":"\\udc00x"}'],
    ['1e999', '{"a":1e999}'],
    ['2^53+1', '{"a":9007199254740993}'],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
    ['an encoded surrogate', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
  ])('a body with %s is 400 BadRequestError', async (_what, body) => {
    const before = gateway.services.callsOf('create-agent').length;
    const answer = await gateway.request('POST', '/v1/agents', { token, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'BadRequestError']);
    expect(gateway.services.callsOf('create-agent')).toHaveLength(before);
  });

  it.each([
    ['64 levels of nesting', nested(64)],
    ['2^53-1', '{"a":9007199254740991}'],
    ['a surrogate pair', '{"a":"\\ud83d\\ude00"}'],
    ['white space around the object', ' \r\n\t{} '],
    ['an empty object', '{}'],
  ])('a body with %s is forwarded byte for byte', async (_what, body) => {
    await gateway.request('POST', '/v1/agents', { token, body });
    expect(String(gateway.services.callsOf('create-agent').at(-1)?.request.body)).toBe(body);
  });

  it.each([
    ['POST', '/v1/agents/agt_x/nothing', 404],
    ['GET', '/v1/agents', 400],
    ['POST', `/v1/api-keys/key_x/revoke`, 400],
    ['DELETE', '/v1/agent-endpoints/ep_x', 400],
  ])('%s %s with an array as the body is answered with %i', async (method, path, status) => {
    expect((await gateway.request(method, path, { token, body: '[]' })).status).toBe(status);
  });

  it.each([
    ['with a Content-Length', MiB, 201, false],
    ['with a Content-Length', MiB + 1, 413, false],
    ['in chunks', MiB, 201, true],
    ['in chunks', MiB + 1, 413, true],
    ['in chunks', 3 * MiB, 413, true],
  ])('a body sent %s of %i bytes is answered with %i', async (_how, bytes, status, chunked) => {
    const body = sized(bytes);
    const answer = chunked
      ? await fetch(`${gateway.url}/v1/message-templates`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: new Blob([body]).stream(),
          duplex: 'half',
        })
      : await gateway.request('POST', '/v1/message-templates', { token, body });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['gzip', 415],
    ['identity, gzip', 415],
    ['br', 415],
    ['identity', 200],
    ['Identity', 200],
  ])('Content-Encoding %s is answered with %i, even without a body', async (encoding, status) => {
    const answer = await gateway.request('GET', '/v1/agents', { token, headers: { 'content-encoding': encoding } });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['limit=0', 400],
    ['limit=1', 200],
    ['limit=100', 200],
    ['limit=101', 400],
    ['limit=1.5', 400],
    ['limit=01', 400],
    ['limit=1e1', 400],
    ['limit=', 400],
    ['limit=ten', 400],
    ['limit=1&limit=2', 400],
    ['cursor=', 400],
    ['cursor=abc', 200],
    ['unknown=1', 400],
    ['__proto__=1', 400],
    ['constructor=1', 400],
    ['limit=%ZZ', 400],
    ['%ff=1', 400],
    ['cursor=%00', 400],
    [`organization_id=${organization}`, 200],
    [`organization_id=${organization}&organization_id=${organization}`, 400],
    ['organization_id=', 400],
    ['', 200],
    ['&', 200],
  ])('the query ?%s of a list is answered with %i', async (query, status) => {
    const answer = await gateway.request('GET', `/v1/agents?${query}`, { token });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.error).toBe('BadRequestError');
  });

  it.each(['/v1/agents/%ZZ', '/v1/agents/%', '/v1/agents/%ff'])(
    'the malformed path %s is 404 not_found',
    async (path) => {
      const answer = await gateway.request('GET', path, { token });
      expect([answer.status, answer.body.error, answer.body.path]).toEqual([404, 'not_found', path]);
    },
  );

  it.each([
    ['..%2f..%2fv1', '../../v1'],
    ['%00', '\0'],
    ['%E2%82%AC', '€'],
  ])('/v1/agents/%s is forwarded to the owning service as one decoded id', async (escaped, id) => {
    expect((await gateway.request('GET', `/v1/agents/${escaped}`, { token })).status).toBe(200);
    expect(gateway.services.callsOf('get-agent').at(-1)?.request.path).toEqual([id]);
  });
});

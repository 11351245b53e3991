import { AppError, errorCatalogue, internal, type ErrorCode } from '@parley/errors';
import { TestGateway } from './test-gateway';

/** docs/reference/errors.md: every error body, its status and its headers. */
describe('error bodies', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
  });
  afterAll(() => gateway.stop());
  afterEach(() => (gateway.services.overrides = {}));

  const agentFails = (error: unknown) => {
    gateway.services.overrides = {
      forwarded: {
        'get-agent': async () => {
          throw error;
        },
      },
    };
  };
  const getAgent = () => gateway.request('GET', '/v1/agents/agt_x', { token });

  const fields: Partial<Record<ErrorCode, Record<string, unknown>>> = {
    BadRequestError: {
      language: 'de',
      reason: 'voice_id_missing',
      blockers: [{ code: 'voice_id_missing', scope: 'language:de', detail: 'd' }],
    },
    realtime_config_not_runnable: { reason: 'voice_id_missing', blockers: [] },
    not_found: { path: '/v1/x' },
    method_not_allowed: { allow: ['GET', 'HEAD', 'POST'] },
    WorkflowRevisionConflictError: { current: { nodes: [], edges: [] } },
    outbound_call_queue_full: { retry_after_seconds: 12 },
    rate_limited: { retry_after_seconds: 1 },
    platform_maintenance: { retry_after_seconds: 120 },
  };
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => code !== 'internal_error');

  it.each(codes)('%s: answers with its status and fields, and nothing else', async (code) => {
    agentFails(new AppError(code, 'what went wrong', { fields: fields[code], cause: new Error('secret cause') }));
    const answer = await getAgent();
    expect(answer.status).toBe(errorCatalogue[code].status);
    expect(answer.body).toEqual({ error: code, message: 'what went wrong', ...fields[code] });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    const retryAfter = fields[code]?.retry_after_seconds ?? (answer.status === 503 ? 1 : undefined);
    expect(answer.headers['retry-after']).toBe(retryAfter === undefined ? undefined : `${Number(retryAfter)}`);
    expect(answer.headers.allow).toBe(code === 'method_not_allowed' ? 'GET, HEAD, POST' : undefined);
  });

  it.each([
    ['an unexpected exception', new TypeError('secret cause'), 500],
    ['internal_error 500', internal(new Error('secret cause')), 500],
    ['internal_error 503', internal(new Error('secret cause'), 503), 503],
    ['internal_error 504', internal(new Error('secret cause'), 504), 504],
    [
      'an internal_error with a message and fields',
      new AppError('internal_error', 'secret cause', { fields: { table: 'secret' } }),
      500,
    ],
  ])('%s is answered as internal_error with a fixed message and the request id only', async (_what, error, status) => {
    agentFails(error);
    const answer = await getAgent();
    const other = await getAgent();
    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
    expect(answer.body).toEqual({
      error: 'internal_error',
      message: other.body.message,
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.text).not.toContain('secret');
    expect(other.body.request_id).not.toBe(answer.body.request_id);
  });

  it('logs the cause of an internal_error with the request id', async () => {
    agentFails(internal(new Error('the cause')));
    const line = await gateway.logOf(await getAgent());
    expect(line).toMatchObject({ level: 'error', status: 500, err: expect.anything() });
  });

  it('answers 503 internal_error if the service cannot be reached', async () => {
    const lonely = await TestGateway.start();
    const lonelyToken = lonely.services.token();
    await lonely.request('GET', '/v1/api-keys/scopes', { token: lonelyToken });
    await lonely.services.stop();
    const answer = await lonely.request('GET', '/v1/agents/agt_x', { token: lonelyToken });
    expect([answer.status, answer.body.error]).toEqual([503, 'internal_error']);
    await lonely.stop();
  });

  it('not_found contains the path without its query', async () => {
    const answer = await gateway.request('GET', '/v1/nothing/here?a=b');
    expect([answer.status, answer.body.error, answer.body.path]).toEqual([404, 'not_found', '/v1/nothing/here']);
  });

  it.each(['/v1', '/v1/agents/', '/V1/agents', '//v1/agents', '/v2/agents', '/v1/agents/a/b'])(
    'answers 404 not_found for %s',
    async (path) => {
      const answer = await gateway.request('GET', path, { token });
      expect([answer.status, answer.body.error, answer.body.path]).toEqual([404, 'not_found', path]);
    },
  );

  it.each([
    ['OPTIONS', '/v1/agents', ['GET', 'HEAD', 'POST']],
    ['TRACE', '/v1/agents', ['GET', 'HEAD', 'POST']],
    ['DELETE', '/v1/agents', ['GET', 'HEAD', 'POST']],
    ['PUT', '/v1/agents/agt_x', ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['HEAD', '/v1/worker-jobs/claim', ['POST']],
    ['GET', '/v1/worker-jobs/claim', ['POST']],
  ])('%s %s is 405 method_not_allowed with the allowed methods', async (method, path, allow) => {
    const answer = await gateway.request(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow.join(', '));
    if (method === 'HEAD') expect(answer.text).toBe('');
    else expect(answer.body).toMatchObject({ error: 'method_not_allowed', allow });
  });

  it('UnauthorizedError names the scheme Bearer in WWW-Authenticate', async () => {
    const answer = await gateway.request('GET', '/v1/agents');
    expect([answer.status, answer.body.error, answer.headers['www-authenticate']]).toEqual([
      401,
      'UnauthorizedError',
      'Bearer',
    ]);
  });

  it('gives every answer a new request id, and ignores that of the client', async () => {
    const sent = { 'x-request-id': 'mine' };
    const ids = await Promise.all(
      ['/v1/agents', '/v1/nothing', '/livez', '/readyz'].map(
        async (path) => (await gateway.request('GET', path, { headers: sent })).headers['x-request-id'],
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain('mine');
  });
});

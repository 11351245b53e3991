import { internal } from '@parley/errors';
import { eventually } from '@parley/testing';
import { newId } from '@parley/runtime';
import { TestGateway } from './test-gateway';

/** docs/reference/keys.md, "Token" and "Control state". */
describe('authentication', () => {
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await TestGateway.start();
  });
  afterEach(() => gateway.stop());

  const getAgents = (authorization: string | string[] | undefined) =>
    gateway.request('GET', '/v1/agents', { headers: authorization === undefined ? {} : { authorization } });
  const verifications = () => gateway.services.callsOf('verifyToken').length;

  /** Repeats the request until the answer is `status`. @returns after how many ms the last accepted request was sent */
  const acceptedForMs = async (authorization: string, status: number): Promise<number> => {
    const begin = performance.now();
    let acceptedMs = 0;
    await eventually(async () => {
      const sentMs = performance.now() - begin;
      const answer = await getAgents(authorization);
      if (answer.status === status) return true;
      expect(answer.status).toBe(200);
      acceptedMs = sentMs;
      return undefined;
    });
    return acceptedMs;
  };

  it('anything but a well-formed Bearer token is 401 without a look-up', async () => {
    const token = gateway.services.token();
    const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer ${token} x`,
      `Bearer ${token}, Bearer ${token}`,
      [`Bearer ${token}`, `Bearer ${token}`],
      'Bearer secret',
      `Bearer ${mistyped}`,
      `Bearer ${token.replace('tai_', 'tgw_')}`,
      `Bearer tai_${'a'.repeat(38)}`,
      `Bearer ${token.toLowerCase().replace('tai_', 'TAI_')}`,
    ];
    for (const header of headers) {
      const answer = await getAgents(header);
      expect([header, answer.status, answer.body.error]).toEqual([header, 401, 'UnauthorizedError']);
    }
    expect(verifications()).toBe(0);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('accepts the authentication scheme spelled %s', async (scheme) => {
    expect((await getAgents(`${scheme} ${gateway.services.token()}`)).status).toBe(200);
  });

  it('a well-formed unknown token is 401, and is looked up at auth each time', async () => {
    const token = gateway.services.token();
    gateway.services.forget(token);
    expect((await getAgents(`Bearer ${token}`)).status).toBe(401);
    expect((await getAgents(`Bearer ${token}`)).status).toBe(401);
    expect(verifications()).toBe(2);
  });

  it('answers 401 with the same body for a missing, a malformed and an unknown token', async () => {
    const token = gateway.services.token();
    gateway.services.forget(token);
    const texts = [await getAgents(undefined), await getAgents('Bearer x'), await getAgents(`Bearer ${token}`)];
    expect(new Set(texts.map((answer) => answer.text)).size).toBe(1);
  });

  it('verifies a key once, even if many first requests arrive concurrently', async () => {
    const authorization = `Bearer ${gateway.services.token()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => getAgents(authorization)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect((await getAgents(authorization)).status).toBe(200);
    expect(verifications()).toBe(1);
  });

  it('reports all accepted uses of a key, including cached ones, to auth in at most two messages', async () => {
    const [keyId, refused] = [newId('key'), newId('key')];
    const token = gateway.services.token({ keyId });
    const expired = gateway.services.token({ keyId: refused, expiresAtMs: '1' });
    for (let use = 0; use < 20; use += 1) expect((await getAgents(`Bearer ${token}`)).status).toBe(200);
    expect((await getAgents(`Bearer ${expired}`)).status).toBe(401);
    const { services } = gateway;
    await gateway.stop();
    const reported = services.callsOf('recordKeyUsage').map(({ request }) => request.keyIds as string[]);
    expect(reported.length).toBeLessThanOrEqual(2);
    expect(new Set(reported.flat())).toEqual(new Set([keyId]));
    gateway = await TestGateway.start();
  });

  it('refuses a revoked key within a second after the control state contains it', async () => {
    const keyId = newId('key');
    const authorization = `Bearer ${gateway.services.token({ keyId })}`;
    expect((await getAgents(authorization)).status).toBe(200);
    gateway.services.controlState = { ...gateway.services.controlState, epoch: '2', revokedKeyIds: [keyId] };
    expect(await acceptedForMs(authorization, 401)).toBeLessThanOrEqual(1_000);
    // Also if auth still answers from its state before the revocation.
    expect((await getAgents(authorization)).status).toBe(401);
  });

  it('refuses an expired key', async () => {
    const soon = gateway.services.token({ expiresAtMs: String(Date.now() + 60_000) });
    const past = gateway.services.token({ expiresAtMs: String(Date.now() - 1) });
    expect((await getAgents(`Bearer ${soon}`)).status).toBe(200);
    expect((await getAgents(`Bearer ${past}`)).status).toBe(401);
  });

  it('answers 503 for known and new keys while auth is unavailable, and accepts them afterwards', async () => {
    const known = `Bearer ${gateway.services.token()}`;
    const fresh = `Bearer ${gateway.services.token()}`;
    expect((await getAgents(known)).status).toBe(200);
    const away = async (): Promise<never> => {
      throw internal(new Error('away'));
    };
    gateway.services.overrides = { auth: { getControlState: away, verifyToken: away } };
    // The cached control state is trusted for at most one second.
    expect(await acceptedForMs(known, 503)).toBeLessThanOrEqual(1_000);
    for (const authorization of [known, fresh]) {
      const answer = await getAgents(authorization);
      expect([answer.status, answer.body.error]).toEqual([503, 'internal_error']);
    }
    gateway.services.overrides = {};
    // A failing poll of the control state may still be under way, and new requests wait for its result.
    await eventually(async () => ((await getAgents(known)).status === 200 ? true : undefined));
    expect((await getAgents(fresh)).status).toBe(200);
  });

  it('forwards caller, request id and trace context to the service', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const keyId = newId('key');
    const token = gateway.services.token({ keyId, scopes: ['all-read'] });
    const answer = await gateway.request('GET', '/v1/agents', { token, headers: { traceparent } });
    const context = gateway.services.callsOf('list-agents').at(-1)?.context;
    expect(context?.caller).toMatchObject({ keyId, kind: 'customer', scopes: expect.arrayContaining(['agents:read']) });
    expect(context?.caller?.scopes).toHaveLength(17);
    expect([context?.requestId, context?.traceparent]).toEqual([answer.headers['x-request-id'], traceparent]);
  });

  it('logs one line per request, without token, query or body', async () => {
    const keyId = newId('key');
    const token = gateway.services.token({ keyId });
    const body = { organization_id: 'org_x', secret_name: 'swordfish' };
    const answer = await gateway.request('POST', '/v1/agents?limit=swordfish', { token, body });
    const line = await gateway.logOf(answer);
    expect(line).toMatchObject({
      msg: 'request',
      level: 'info',
      method: 'POST',
      route: 'create-agent',
      path: '/v1/agents',
      status: 403,
      key_id: keyId,
      ms: expect.any(Number),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const text = JSON.stringify(gateway.logged);
    expect(text).not.toContain(token);
    expect(text).not.toContain('swordfish');
    expect(gateway.logged.filter((entry) => entry.request_id === line.request_id)).toHaveLength(1);
  });

  it('counts requests in the metrics by route, method and status', async () => {
    const token = gateway.services.token();
    await gateway.request('GET', '/v1/agents/agt_x', { token });
    await gateway.logOf(await gateway.request('GET', '/v1/agents/agt_y', { token }));
    expect(await gateway.metrics.metrics()).toContain(
      'http_server_request_duration_seconds_count{route="get-agent",http_request_method="GET",http_response_status_code="200"} 2',
    );
  });
});

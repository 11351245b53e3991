import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { Api } from '../api';
import { Customer } from '../customer';
import { Platform } from '../platform';
import { mistypedToken, unknownToken } from '../unknown-token';
import { refusedWithinASecond, until } from '../until';

/** docs/reference/keys.md, control state: revocations and suspensions apply in every replica within a second. */
describe('with two replicas of every service', () => {
  let platform: Platform;
  let customer: Customer;
  let operator: Api;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2 });
    customer = await Customer.create(platform);
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
  });

  afterAll(async () => {
    // A stopped process would not end together with the platform.
    signal('SIGCONT', 'auth', 'telephony', 'nats', 'redis');
    await customer?.close();
    await platform?.stop();
  });

  const signal = (name: NodeJS.Signals, ...programs: string[]): void => {
    for (const one of platform.processes) if (programs.includes(one.name)) process.kill(one.pid, name);
  };

  /** One client for each gateway. */
  const atEach = (key: string): Api[] => platform.baseUrls.map((url) => new Api(() => [url], key));

  const mint = async (): Promise<{ keyId: string; token: string }> => {
    const body = { organization_id: customer.organizationId, name: 'k', scopes: ['agents:read', 'calls:write'] };
    const { body: minted } = await customer.api.post('/v1/api-keys', body);
    return { keyId: String(minted.key_id), token: String(minted.token) };
  };

  it('a revoked key is refused by every gateway within a second, whether it had cached the key or not', async () => {
    const { keyId, token } = await mint();
    const [first, ...others] = atEach(token);
    expect((await first?.get('/v1/agents'))?.status).toBe(200);
    expect((await customer.api.post(`/v1/api-keys/${keyId}/revoke`)).status).toBe(200);
    const gateways = first === undefined ? others : [first, ...others];
    await Promise.all(gateways.map((api) => refusedWithinASecond(() => api.get('/v1/agents'), 'UnauthorizedError')));
  });

  it('10,000 invalid keys from one address are refused, and valid keys from it still work, cached or new', async () => {
    const flood = 10_000;
    const dispatcher = new Agent({ connections: 50 });
    const use = async (url: string, token: string): Promise<string> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await request(`${url}/v1/agents?limit=1`, { headers, dispatcher });
      const { error = '' } = (await answer.body.json()) as { error?: string };
      return `${answer.statusCode} ${error}`.trim();
    };
    const wrong = new Map<string, number>();
    const right = { known: [] as string[], fresh: [] as string[] };
    let sent = 0;
    const attack = async (url: string): Promise<void> => {
      while (sent < flood) {
        const serial = (sent += 1);
        const outcome = await use(url, serial % 4 === 0 ? mistypedToken(serial) : unknownToken(serial));
        wrong.set(outcome, (wrong.get(outcome) ?? 0) + 1);
      }
    };
    const honest = async (): Promise<void> => {
      while (sent < flood) {
        const { token } = await mint();
        for (const url of platform.baseUrls) {
          right.fresh.push(await use(url, token));
          right.known.push(await use(url, token), await use(url, customer.key));
        }
      }
    };
    const attackers = platform.baseUrls.flatMap((url) => Array.from({ length: 50 }, () => attack(url)));
    await Promise.all([...attackers, honest()]);
    expect([...wrong.entries()]).toEqual([['401 UnauthorizedError', flood]]);
    // Also after the change: the address is still over its limit.
    const { token } = await mint();
    for (const url of platform.baseUrls) right.fresh.push(await use(url, token));
    expect([new Set(right.known), new Set(right.fresh)]).toEqual([new Set(['200']), new Set(['200'])]);
    await dispatcher.close();
  });

  const placeCall = (api: Api) => api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550001' });

  it('SuspensionError: a suspended organization can place calls through no gateway, and through every gateway when it is reinstated', async () => {
    const suspend = `/v1/organizations/${customer.organizationId}`;
    expect((await operator.post(`${suspend}/suspend`)).status).toBe(200);
    await Promise.all(atEach(customer.key).map((api) => refusedWithinASecond(() => placeCall(api), 'SuspensionError')));
    expect((await operator.post(`${suspend}/reinstate`)).status).toBe(200);
    await until('calls are placed again', async () => (await placeCall(customer.api)).status === 201);
  });

  it('every gateway applies a maintenance window and its end', async () => {
    expect((await operator.put('/v1/maintenance', { active: true })).status).toBe(200);
    await Promise.all(
      atEach(customer.key).map((api) => refusedWithinASecond(() => placeCall(api), 'platform_maintenance')),
    );
    expect((await operator.put('/v1/maintenance', { active: false })).status).toBe(200);
    for (const api of atEach(customer.key)) {
      await until('calls are placed again', async () => (await placeCall(api)).status === 201);
    }
  });

  it('while auth is stopped, no request is accepted after the trust window of one second, and no key is reported as invalid', async () => {
    const { token: fresh } = await mint();
    for (const api of atEach(customer.key)) expect((await api.get('/v1/agents')).status).toBe(200);
    signal('SIGSTOP', 'auth');
    const stopped = performance.now();
    try {
      const uses = [...atEach(customer.key), ...atEach(fresh)].map(async (api) => {
        for (let refused = 0; refused < 3;) {
          const began = performance.now();
          const { status, body } = await api.get('/v1/agents');
          if (status === 200 && began - stopped < 1_000) continue;
          expect([status, body.error]).toEqual([503, 'internal_error']);
          refused += 1;
        }
      });
      await Promise.all(uses);
    } finally {
      signal('SIGCONT', 'auth');
    }
    for (const api of [...atEach(customer.key), ...atEach(fresh)]) {
      await until('keys are taken again', async () => (await api.get('/v1/agents')).status === 200);
    }
  });

  it('webhook_retry_requested: while telephony is stopped, a carrier is requested to deliver again, and the redelivery creates one call', async () => {
    const account = {
      organization_id: customer.organizationId,
      provider: 'twilio',
      account_sid: 'AC-stopped',
      auth_token: 't',
    };
    expect((await customer.api.post('/v1/carrier-credentials', account)).status).toBe(201);
    const form = { AccountSid: 'AC-stopped', CallSid: 'CA-stopped', From: '+14155550111', To: '+14155550112' };
    const ring = async (base: string): Promise<string> => {
      const url = `${base}/v1/carriers/twilio/calls`;
      const signature = createHmac('sha1', 't')
        .update(url + Object.entries(form).sort().flat().join(''))
        .digest('base64');
      const headers = { 'x-twilio-signature': signature };
      const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
      const text = await answer.text();
      if (answer.status === 200) return text;
      expect([answer.status, Object.keys(JSON.parse(text) as object).sort()]).toEqual([503, ['error', 'message']]);
      return String((JSON.parse(text) as { error: string }).error);
    };
    signal('SIGSTOP', 'telephony');
    try {
      const asked = await Promise.all(platform.baseUrls.map(ring));
      expect(new Set(asked)).toEqual(new Set(['webhook_retry_requested']));
    } finally {
      signal('SIGCONT', 'telephony');
    }
    for (const base of platform.baseUrls) {
      await until('the carrier is answered', async () => (await ring(base)).includes('<Reject'));
    }
    const { body } = await customer.api.get('/v1/calls?direction=inbound');
    expect(body.data).toMatchObject([{ to: form.To, status: 'failed', ended_reason: 'number_not_in_workspace' }]);
  });

  it('with NATS and Redis stopped keys are checked as before', async () => {
    const { keyId, token } = await mint();
    signal('SIGSTOP', 'nats', 'redis');
    try {
      for (const api of [...atEach(customer.key), ...atEach(token)]) {
        expect((await api.get('/v1/agents')).status).toBe(200);
      }
      expect((await customer.api.post(`/v1/api-keys/${keyId}/revoke`)).status).toBe(200);
      await Promise.all(
        atEach(token).map((api) => refusedWithinASecond(() => api.get('/v1/agents'), 'UnauthorizedError')),
      );
    } finally {
      signal('SIGCONT', 'nats', 'redis');
    }
  });
});

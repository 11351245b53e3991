import { tokenChecksum } from '@parley/contract';
import { createRedis, createLogger, newId, systemClock, type RedisHandle } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { WindowCounter } from '../src/auth/window-counter';
import { TestGateway, type Answer } from './test-gateway';

const silent = createLogger({ service: 'test', level: 'silent' });
/** A clock that stands in the middle of a minute and of a day, so that no window ends between two requests of a test. */
const still = { now: () => new Date('2026-01-15T12:00:30Z'), monotonicMs: () => 0 };
const redisUrl = process.env['TEST_REDIS_URL'];

/** A well-formed token that was never issued. */
function unknownToken(): string {
  const text = `tai_${newId('key').slice(4).padEnd(32, 'x')}`;
  return text + tokenChecksum(text);
}

const agents = (gateway: TestGateway, token: string, headers = {}): Promise<Answer> =>
  gateway.request('GET', '/v1/agents', { token, headers });

/** Resolves when Redis answers: the client connects lazily, and until then every replica counts separately. */
async function connected(): Promise<RedisHandle> {
  // With a long timeout, because on a busy machine the client would regard Redis as unavailable after a tenth of a second.
  const redis = createRedis({ url: redisUrl, name: 'test', log: silent, patienceMs: 30_000 });
  await eventually(async () => ((await redis.run(async (client) => client.ping(), '')) === 'PONG' ? true : undefined));
  return redis;
}

describe('counters per time window', () => {
  it('are shared by replicas through Redis, and restart with each window', async () => {
    const handles = [await connected(), await connected()];
    const name = newId('org');
    const clock = { ...systemClock, now: () => new Date(90_000) };
    const counters = handles.map((redis) => new WindowCounter(redis, clock));
    const counts: number[] = [];
    for (const counter of [...counters, ...counters]) counts.push((await counter.add(name, 60)).count);
    expect(counts).toEqual([1, 2, 3, 4]);
    const later = new WindowCounter(handles[0] as RedisHandle, { ...clock, now: () => new Date(120_000) });
    expect(await later.add(name, 60)).toEqual({ count: 1, secondsLeft: 60 });
    for (const redis of handles) await redis.close();
  });

  it('that are above what matters are not written to Redis by a replica that knows it', async () => {
    const redis = await connected();
    const name = newId('org');
    const [one, other] = [new WindowCounter(redis, still), new WindowCounter(redis, still)];
    const counts: number[] = [];
    for (const counter of [one, one, other, other, other, one]) counts.push((await counter.add(name, 60, 1, 2)).count);
    // Without the last two of the other one and the last of this one, in Redis there are 3.
    expect(counts).toEqual([1, 2, 3, 4, 5, 3]);
    expect(await one.add(name, 60)).toMatchObject({ count: 4 });
    await redis.close();
  });

  it('are counted by each replica separately while Redis is unavailable', async () => {
    const redis = createRedis({ name: 'none', log: silent });
    const [one, other] = [new WindowCounter(redis, still), new WindowCounter(redis, still)];
    const window = 86_400;
    expect([await one.add('a', window), await one.add('a', window), await other.add('a', window)]).toMatchObject([
      { count: 1 },
      { count: 2 },
      { count: 1 },
    ]);
  });
});

describe('rate limit of an organization', () => {
  it.each([
    ['with Redis', redisUrl],
    ['without Redis', undefined],
  ])(
    'is reported in headers, answers 429 with Retry-After, and does not affect other organizations: %s',
    async (_how, url) => {
      const limited = newId('org');
      const gateway = await TestGateway.start(
        { rateLimits: `${limited}=2/86400`, redisUrl: url, requestsPerKeyPerMinute: 0 },
        undefined,
        still,
      );
      const token = gateway.services.token({ organizationId: limited });
      const answers = [await agents(gateway, token), await agents(gateway, token), await agents(gateway, token)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
        Array.from({ length: 3 }, () => '"organization";q=2;w=86400'),
      );
      expect(answers.map(({ headers }) => String(headers.ratelimit).split(';')[1])).toEqual(['r=1', 'r=0', 'r=0']);
      expect(answers[2]?.body).toMatchObject({ error: 'rate_limited', retry_after_seconds: expect.any(Number) });
      expect(answers[2]?.headers['retry-after']).toBe(String(answers[2]?.body.retry_after_seconds));
      const other = await agents(gateway, gateway.services.token());
      expect([other.status, other.headers.ratelimit]).toEqual([200, undefined]);
      await gateway.stop();
    },
  );
});

describe('default limit of a key', () => {
  it('counts a key without another limit with what it minted, in each replica, and no key of a worker', async () => {
    const gateway = await TestGateway.start({ requestsPerKeyPerMinute: 2 }, undefined, still);
    const statusesOf = async (...tokens: string[]) => {
      const statuses: number[] = [];
      for (const token of tokens) statuses.push((await agents(gateway, token)).status);
      return statuses;
    };
    const keyId = newId('key');
    const [root, minted] = [gateway.services.token({ keyId }), gateway.services.token({ rootKeyId: keyId })];
    expect(await statusesOf(root, minted, root, minted)).toEqual([200, 200, 429, 429]);
    const refused = await agents(gateway, root);
    expect([refused.body.error, refused.headers['retry-after'], refused.headers['ratelimit-policy']]).toEqual([
      'rate_limited',
      '30',
      '"key";q=2;w=60',
    ]);
    const own = gateway.services.token({ requestsPerMinute: 3 });
    expect(await statusesOf(own, own, own, own)).toEqual([200, 200, 200, 429]);
    const worker = gateway.services.token({ scopes: ['all', 'worker_jobs:claim'] });
    expect(await statusesOf(worker, worker, worker)).toEqual([200, 200, 200]);
    await gateway.stop();
  });
});

describe('rate limit of a key', () => {
  it('counts its requests to all routes, answers 429 with Retry-After, and does not affect other keys', async () => {
    const gateway = await TestGateway.start({ redisUrl, requestsPerKeyPerMinute: 0 }, undefined, still);
    const limited = gateway.services.token({ requestsPerMinute: 2 });
    const answers = [
      await agents(gateway, limited),
      await gateway.request('GET', '/v1/numbers', { token: limited }),
      await agents(gateway, limited),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
      Array.from({ length: 3 }, () => '"key";q=2;w=60'),
    );
    expect(answers[2]?.headers['retry-after']).toBe('30');
    const other = await agents(gateway, gateway.services.token());
    expect([other.status, other.headers.ratelimit]).toEqual([200, undefined]);
    await gateway.stop();
  });
});

describe('invalid keys', () => {
  it('10,000 of one address are looked up in batches, and valid keys from that address are still accepted', async () => {
    const gateway = await TestGateway.start({ redisUrl }, undefined, still);
    const known = gateway.services.token();
    expect((await agents(gateway, known)).status).toBe(200);
    const refusals = new Map<number, number>();
    const rights: number[] = [];
    for (let batch = 0; batch < 50; batch += 1) {
      const wrong = Array.from({ length: 200 }, async () => (await agents(gateway, unknownToken())).status);
      const right = [known, gateway.services.token()].map(async (token) => (await agents(gateway, token)).status);
      for (const status of await Promise.all(wrong)) refusals.set(status, (refusals.get(status) ?? 0) + 1);
      rights.push(...(await Promise.all(right)));
    }
    expect([...refusals.entries()]).toEqual([[401, 10_000]]);
    expect(new Set(rights)).toEqual(new Set([200]));
    // At most the budget and the look-ups that were pending when it was used up; all others are batched.
    const alone = gateway.services.callsOf('verifyToken').length;
    expect(alone).toBeLessThanOrEqual(100 + 2 * 202 + 1);
    const together = gateway.services.callsOf('verifyTokens').map(({ request }) => (request.tokens as string[]).length);
    expect(Math.max(...together)).toBeLessThanOrEqual(256);
    expect(together.length).toBeLessThan(together.reduce((sum, size) => sum + size, 0) / 4);
    await gateway.stop();
  });

  it('from one address cause batched look-ups for that address only, as seen by the trusted proxy', async () => {
    const gateway = await TestGateway.start({ trustedProxies: 1, invalidKeysPerMinute: 1 }, undefined, still);
    const from = (address: string) => ({ 'x-forwarded-for': `spoofed, ${address}` });
    for (let time = 0; time < 3; time += 1) {
      expect((await agents(gateway, unknownToken(), from('198.51.100.1'))).status).toBe(401);
    }
    const { services } = gateway;
    const [alone, together] = [services.callsOf('verifyToken').length, services.callsOf('verifyTokens').length];
    expect([alone, together]).toEqual([2, 1]);
    expect((await agents(gateway, services.token(), from('198.51.100.1'))).status).toBe(200);
    expect([services.callsOf('verifyToken').length, services.callsOf('verifyTokens').length]).toEqual([2, 2]);
    expect((await agents(gateway, services.token(), from('198.51.100.2'))).status).toBe(200);
    expect([services.callsOf('verifyToken').length, services.callsOf('verifyTokens').length]).toEqual([3, 2]);
    await gateway.stop();
  });
});

describe('creations and revocations of keys and tokens', () => {
  const ids = { key_id: newId('key'), gateway_token_id: newId('key') };
  const mint = (gateway: TestGateway, token: string, n: number): Promise<Answer> => {
    const paths = [
      '/v1/api-keys',
      `/v1/api-keys/${ids.key_id}/revoke`,
      '/v1/gateway-tokens',
      `/v1/gateway-tokens/${ids.gateway_token_id}/revoke`,
    ];
    return gateway.request('POST', paths[n % 4] ?? '', { token, body: {} });
  };

  it.each([
    ['with Redis', redisUrl],
    ['without Redis', undefined],
  ])('are limited to 60 per minute and key in total; the next one is 429 with Retry-After: %s', async (_how, url) => {
    const gateway = await TestGateway.start({ redisUrl: url }, undefined, { ...systemClock, now: still.now });
    try {
      const token = gateway.services.token({ keyId: newId('key') });
      for (let n = 0; n < 60; n += 1) expect((await mint(gateway, token, n)).status).not.toBe(429);
      for (let n = 0; n < 4; n += 1) {
        const refused = await mint(gateway, token, n);
        expect([refused.status, refused.body.error, refused.headers['retry-after']]).toEqual([
          429,
          'rate_limited',
          '30',
        ]);
      }
      expect((await gateway.request('GET', '/v1/api-keys', { token })).status).not.toBe(429);
      const other = gateway.services.token({ keyId: newId('key') });
      expect((await mint(gateway, other, 0)).status).not.toBe(429);
    } finally {
      await gateway.stop();
    }
  });

  it.each<[string, Record<string, number>, string, string, object]>([
    ['mints', { mintsPerMinute: 2 }, 'POST', '/v1/api-keys', { rootKeyId: ids.key_id, keyId: ids.gateway_token_id }],
    ['sessions', { mintsPerMinute: 2 }, 'POST', '/v1/sessions', { sessionOf: ids.key_id, keyId: ids.gateway_token_id }],
    [
      'previews',
      { previewsPerMinute: 2 },
      'POST',
      '/v1/voice-previews',
      { rootKeyId: ids.key_id, keyId: newId('key') },
    ],
    ['mints of an organization', { organizationMintsPerMinute: 2 }, 'POST', '/v1/api-keys', { keyId: newId('key') }],
    [
      'previews of an organization',
      { organizationPreviewsPerMinute: 2 },
      'POST',
      '/v1/voice-previews',
      { keyId: newId('key') },
    ],
  ])(
    'and %s count with those of another key of the same root or organization',
    async (_what, config, method, path, other) => {
      const gateway = await TestGateway.start(config, undefined, { ...systemClock, now: still.now });
      try {
        const tokens = [{ keyId: ids.key_id }, other, other].map((principal) => gateway.services.token(principal));
        const limited: boolean[] = [];
        for (const token of tokens)
          limited.push((await gateway.request(method, path, { token, body: {} })).status === 429);
        expect(limited).toEqual([false, false, true]);
      } finally {
        await gateway.stop();
      }
    },
  );

  it('are limited by the setting mintsPerMinute', async () => {
    const gateway = await TestGateway.start({ mintsPerMinute: 2 }, undefined, { ...systemClock, now: still.now });
    try {
      const token = gateway.services.token();
      const statuses: number[] = [];
      for (let n = 0; n < 3; n += 1) statuses.push((await mint(gateway, token, n)).status);
      expect(statuses.indexOf(429)).toBe(2);
    } finally {
      await gateway.stop();
    }
  });
});

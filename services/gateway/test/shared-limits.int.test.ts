import { newId } from '@parley/runtime';
import { TestGateway } from './test-gateway';

/** A clock that stands in the middle of a minute, so that no window ends between two requests of a test. */
const still = { now: () => new Date('2026-01-15T12:00:30Z'), monotonicMs: () => 0 };

it('requests of minted keys to REST and MCP count against the limit of the key that minted them', async () => {
  const gateway = await TestGateway.start({ redisUrl: process.env['TEST_REDIS_URL'] }, undefined, still);
  const keyId = newId('key');
  const parent = gateway.services.token({ keyId, requestsPerMinute: 3 });
  const sharedLimits = [{ keyId, requestsPerMinute: 3 }];
  const minted = () => gateway.services.token({ requestsPerMinute: 3, sharedLimits });
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const answers = [
    await gateway.request('GET', '/v1/agents', { token: minted() }),
    await gateway.request('POST', '/mcp', { token: minted(), body }),
    await gateway.request('GET', '/v1/agents', { token: parent }),
    await gateway.request('GET', '/v1/agents', { token: minted() }),
    await gateway.request('GET', '/v1/agents', { token: parent }),
  ];
  expect(answers.map(({ headers }) => headers.ratelimit)).toEqual(
    [2, 1, 0, 0, 0].map((left) => `"key";r=${left};t=30`),
  );
  expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, true, true]);
  expect((await gateway.request('GET', '/v1/agents', { token: gateway.services.token() })).status).toBe(200);
  await gateway.stop();
});

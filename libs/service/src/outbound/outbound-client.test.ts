import { createAddressPolicy } from '../addresses/address-policy.rules';
import { createOutboundClient, type OutboundClient } from './outbound-client';

describe('a request whose DNS lookup never ends', () => {
  let client: OutboundClient;
  beforeEach(() => {
    const policy = createAddressPolicy({ development: false });
    client = createOutboundClient({ policy, resolve: () => new Promise(() => undefined) });
  });
  afterEach(() => client.close());

  const asked = { method: 'POST', url: 'https://tools.example/', headers: {}, mostBytes: 1024 } as const;

  it('ends with error timeout', async () => {
    expect(await client.send({ ...asked, timeoutMs: 50 })).toMatchObject({ error: 'timeout', body: Buffer.alloc(0) });
  });

  it('ends with error canceled when it is aborted, also if aborted before', async () => {
    const controller = new AbortController();
    const answer = client.send({ ...asked, timeoutMs: 600_000, signal: controller.signal });
    controller.abort();
    expect(await answer).toMatchObject({ error: 'canceled' });
    const before = { ...asked, timeoutMs: 600_000, signal: AbortSignal.abort() };
    expect(await client.send(before)).toMatchObject({ error: 'canceled' });
  });
});

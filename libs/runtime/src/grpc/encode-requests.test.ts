import { PublicRequests } from '@parley/proto/public';
import { encodeRequests } from './encode-requests';

const request = PublicRequests.fromPartial({
  requests: [{ route: 'get-agent', path: ['é'], caller: 2, timeoutMs: 1 }],
  first: 7,
  cancelled: [3, 5],
});

describe('encodeRequests', () => {
  it.each([
    ['without a caller', []],
    ['with one', ['a'.repeat(2_000)]],
    ['with one again, and another', ['a'.repeat(2_000), 'b']],
  ])('gives bytes that the generated decoder reads: %s', (_, callers) => {
    const message = { ...request, callers };
    expect(PublicRequests.decode(encodeRequests(message))).toEqual(message);
  });
});

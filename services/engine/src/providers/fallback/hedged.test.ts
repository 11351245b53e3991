import { ProviderError } from '@parley/providers';
import { Breakers } from './breakers';
import type { Incident } from './candidate';
import { firstToBegin } from './hedged';

/** A request controlled by the test. */
class Request {
  readonly begins = Promise.withResolvers<string>();
  signal: AbortSignal | undefined;

  async *events(signal: AbortSignal): AsyncIterable<string> {
    this.signal = signal;
    yield await this.begins.promise;
  }
}

/** Two accounts of one provider; the first one has responded to ten requests after this long. */
function accounts(usualMs?: number) {
  const breakers = new Breakers(() => Date.now());
  for (let n = 0; n < 10 && usualMs !== undefined; n += 1) breakers.succeeded('one/cred_1', usualMs);
  const requests = [new Request(), new Request()] as const;
  const incidents: Incident[] = [];
  const begun = firstToBegin(
    requests.map((request, n) => ({
      provider: 'one',
      credentialId: `cred_${n + 1}`,
      component: (signal: AbortSignal) => request.events(signal),
    })),
    new AbortController().signal,
    { kind: 'model', breakers, onIncident: (one) => incidents.push(one), now: () => Date.now() },
  );
  begun.catch(() => undefined);
  return { requests, incidents, begun };
}

const unavailable = (): ProviderError => new ProviderError('one', 'unavailable', 'of the test');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the second credential of a hedged request', () => {
  it.each([
    ['250 ms if the latency of the first one is unknown', undefined, 250],
    ['the 90th percentile of the latency', 100, 100],
    ['at least 30 ms', 5, 30],
    ['at most 250 ms', 900, 250],
  ])('is used after %s', async (_, usualMs, afterMs) => {
    const { requests, incidents } = accounts(usualMs);
    await jest.advanceTimersByTimeAsync(afterMs - 1);
    expect([requests[1].signal, incidents]).toEqual([undefined, []]);
    await jest.advanceTimersByTimeAsync(1);
    expect(requests[1].signal).toBeDefined();
    expect(incidents.map(({ code }) => code)).toEqual(['provider_hedged']);
  });

  it('is not used if the first one answers or fails before', async () => {
    const one = accounts();
    one.requests[0].begins.resolve('Yes.');
    expect((await one.begun).first.value).toBe('Yes.');
    const other = accounts();
    other.requests[0].begins.reject(unavailable());
    await expect(other.begun).rejects.toMatchObject({ code: 'unavailable' });
    await jest.advanceTimersByTimeAsync(1_000);
    expect([one.requests[1].signal, other.requests[1].signal]).toEqual([undefined, undefined]);
  });
});

describe('two concurrent requests', () => {
  it.each([
    [0, 1],
    [1, 0],
  ] as const)('the first one that answers (%d) is used, and the other is aborted', async (begins, other) => {
    const { requests, begun } = accounts();
    await jest.advanceTimersByTimeAsync(250);
    requests[begins].begins.resolve('Yes.');
    expect((await begun).candidate.credentialId).toBe(`cred_${begins + 1}`);
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual(begins < other ? [false, true] : [true, false]);
  });

  it.each([
    [0, 1],
    [1, 0],
  ] as const)('if one (%d) fails, the other is used', async (fails, begins) => {
    const { requests, begun } = accounts();
    await jest.advanceTimersByTimeAsync(250);
    requests[fails].begins.reject(unavailable());
    await jest.advanceTimersByTimeAsync(0);
    requests[begins].begins.resolve('Yes.');
    expect((await begun).candidate.credentialId).toBe(`cred_${begins + 1}`);
  });

  it('if both fail, the error of the first one is reported', async () => {
    const { requests, begun } = accounts();
    await jest.advanceTimersByTimeAsync(250);
    requests[1].begins.reject(new ProviderError('one', 'rate_limited', 'of the test'));
    requests[0].begins.reject(unavailable());
    await expect(begun).rejects.toMatchObject({ code: 'unavailable' });
  });
});

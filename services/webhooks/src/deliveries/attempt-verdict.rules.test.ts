import { verdictOf, type AttemptFacts } from './attempt-verdict.rules';

const now = new Date('2026-01-01T00:00:00.000Z');
const verdict = (facts: Partial<AttemptFacts>) => verdictOf({ number: 1, ...facts }, 0.5, now);

describe('verdictOf', () => {
  it.each([200, 201, 204, 299])('status %i counts as delivered', (status) => {
    expect(verdict({ status })).toEqual({ kind: 'delivered' });
  });

  it.each([
    [199, 'http_status'],
    [300, 'redirect'],
    [301, 'redirect'],
    [307, 'redirect'],
    [399, 'redirect'],
    [400, 'http_status'],
    [404, 'http_status'],
    [409, 'http_status'],
    [411, 'http_status'],
    [429, 'http_status'],
    [500, 'http_status'],
    [599, 'http_status'],
  ])('status %i is retried with error %s', (status, error) => {
    expect(verdict({ status })).toEqual({ kind: 'retry', error, delayMs: 5_000 });
  });

  it('status 410 gives gone at any attempt number', () => {
    expect(verdict({ status: 410 }).kind).toBe('gone');
    expect(verdict({ status: 410, number: 13 }).kind).toBe('gone');
  });

  it('an incomplete response is retried whatever its status', () => {
    expect(verdict({ status: 200, error: 'timeout' })).toEqual({ kind: 'retry', error: 'timeout', delayMs: 5_000 });
    expect(verdict({ status: 410, error: 'timeout' }).kind).toBe('retry');
    expect(verdict({ error: 'refused_address' })).toMatchObject({ kind: 'retry', error: 'refused_address' });
    expect(verdict({})).toMatchObject({ kind: 'retry', error: 'connection_failed' });
  });

  it('applies Retry-After', () => {
    expect(verdict({ status: 503, retryAfter: '90' })).toMatchObject({ delayMs: 90_000 });
  });

  it('the thirteenth failed attempt is the last', () => {
    expect(verdict({ status: 500, number: 12 }).kind).toBe('retry');
    expect(verdict({ status: 500, number: 13 }).kind).toBe('exhausted');
  });
});

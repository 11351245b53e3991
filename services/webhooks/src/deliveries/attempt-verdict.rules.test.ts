import { verdictOf, type AttemptFacts } from './attempt-verdict.rules';

const now = new Date('2026-01-01T00:00:00.000Z');
const verdict = (facts: Partial<AttemptFacts>) => verdictOf({ number: 1, ...facts }, 0.5, now);

describe('verdictOf', () => {
  it.each([200, 201, 204, 299])('%i is a success', (status) => {
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
  ])('%i is a failure: %s', (status, error) => {
    expect(verdict({ status })).toEqual({ kind: 'retry', error, delayMs: 5_000 });
  });

  it('410 is gone, whichever attempt it was', () => {
    expect(verdict({ status: 410 }).kind).toBe('gone');
    expect(verdict({ status: 410, number: 13 }).kind).toBe('gone');
  });

  it('an answer that did not come in whole is a failure, whatever its status', () => {
    expect(verdict({ status: 200, error: 'timeout' })).toEqual({ kind: 'retry', error: 'timeout', delayMs: 5_000 });
    expect(verdict({ status: 410, error: 'timeout' }).kind).toBe('retry');
    expect(verdict({ error: 'refused_address' })).toMatchObject({ kind: 'retry', error: 'refused_address' });
    expect(verdict({})).toMatchObject({ kind: 'retry', error: 'connection_failed' });
  });

  it('honours Retry-After', () => {
    expect(verdict({ status: 503, retryAfter: '90' })).toMatchObject({ delayMs: 90_000 });
  });

  it('the thirteenth failure is the last', () => {
    expect(verdict({ status: 500, number: 12 }).kind).toBe('retry');
    expect(verdict({ status: 500, number: 13 }).kind).toBe('exhausted');
  });
});

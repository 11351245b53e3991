import { errorOfStatus, retryAfterMs } from './failures';

const now = Date.parse('2026-11-23T12:00:00Z');

it.each([
  ['2', 2_000],
  ['0', 0],
  ['1.5', 1_500],
  ['-4', 0],
  ['999999', 3_600_000],
  ['Mon, 23 Nov 2026 12:00:30 GMT', 30_000],
  ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('Retry-After %j is read as %s ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));

it.each([
  [302, 'invalid_answer'],
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'invalid_request'],
  [422, 'invalid_request'],
  [429, 'rate_limited'],
  [499, 'invalid_request'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [529, 'unavailable'],
])('HTTP status %d of a provider is reported as %s', (status, code) => {
  expect(errorOfStatus('p', status, 5)).toMatchObject({
    code,
    provider: 'p',
    retryAfterMs: status === 429 || status >= 500 ? 5 : undefined,
  });
});

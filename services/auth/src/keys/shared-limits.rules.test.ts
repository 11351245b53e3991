import { limitsSharedBy, type SharedLimit } from './shared-limits.rules';

const first = { keyId: 'key_1', requestsPerMinute: 100 };
const second = { keyId: 'key_2', requestsPerMinute: 50 };
const issuer = { keyId: 'key_3', sessionOf: '', requestsPerMinute: 0, sharedLimits: [] };

it.each<[string, Partial<Parameters<typeof limitsSharedBy>[0]>, readonly SharedLimit[]]>([
  ['no limit', {}, []],
  ['an own limit', { requestsPerMinute: 7 }, [{ keyId: 'key_3', requestsPerMinute: 7 }]],
  [
    'a lower limit than its issuers',
    { requestsPerMinute: 49, sharedLimits: [first, second] },
    [first, second, { keyId: 'key_3', requestsPerMinute: 49 }],
  ],
  ['the limit of its issuer', { requestsPerMinute: 50, sharedLimits: [first, second] }, [first, second]],
  ['a session', { requestsPerMinute: 7, sessionOf: 'key_1' }, [{ keyId: 'key_1', requestsPerMinute: 7 }]],
])('a key whose issuer has %s shares these limits', (_case, own, shared) => {
  expect(limitsSharedBy({ ...issuer, ...own })).toEqual(shared);
});

it('refuses a key that would share more than eight limits, and permits one with the limit of its issuer', () => {
  const sharedLimits = Array.from({ length: 8 }, (_, n) => ({ keyId: `key_${n}`, requestsPerMinute: 100 - n }));
  expect(limitsSharedBy({ ...issuer, requestsPerMinute: 93, sharedLimits })).toEqual(sharedLimits);
  expect(() => limitsSharedBy({ ...issuer, requestsPerMinute: 92, sharedLimits })).toThrow(/limits of 8 others/);
});

import {
  bundleCatalogue,
  customerScopes,
  expandScopes,
  isBundle,
  isCustomerGrantable,
  isScope,
  operatorScopes,
  scopeBundles,
  specializedScopes,
} from './scopes';
import scopeFile from './scopes.json';

const bundle = (id: string): readonly string[] => scopeBundles.find((entry) => entry.id === id)?.expands_to ?? [];

describe('number of scopes', () => {
  it.each<[string, number, readonly string[]]>([
    ['all', 29, bundle('all')],
    ['all-read', 17, bundle('all-read')],
    ['all-write', 11, bundle('all-write')],
    ['operator-only', 12, operatorScopes],
    ['specialized', 8, specializedScopes],
    ['groups by resource', 18, Object.keys(bundleCatalogue().groups)],
  ])('%s: %d', (_, count, names) => expect(new Set(names).size).toBe(count));
});

describe('bundles', () => {
  it('simulations:run is only in the bundle all', () => {
    expect(['all', 'all-read', 'all-write'].filter((id) => bundle(id).includes('simulations:run'))).toEqual(['all']);
  });

  it('no bundle contains operator-only or specialized scopes', () => {
    const reserved: readonly string[] = [...operatorScopes, ...specializedScopes];
    expect(scopeBundles.flatMap((entry) => entry.expands_to).filter((scope) => reserved.includes(scope))).toEqual([]);
  });

  it('all-read ends in :read, all-write in :write, :send or :arm', () => {
    expect(bundle('all-read').every((scope) => scope.endsWith(':read'))).toBe(true);
    expect(bundle('all-write').every((scope) => /:(write|send|arm)$/.test(scope))).toBe(true);
  });

  it('customer, operator and specialized scopes are disjoint', () => {
    expect(new Set([...customerScopes, ...operatorScopes, ...specializedScopes]).size).toBe(29 + 12 + 8);
  });
});

describe('scopes that a stored list grants', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['agents:read'], ['agents:read']],
    [['agents:read', 'agents:read'], ['agents:read']],
    [['no:such'], []],
    [['operator:*'], ['operator:*']],
    [['agents:*'], []],
    [['all:read'], []],
  ])('the stored list %p grants %p', (stored, granted) => expect(expandScopes(stored)).toEqual(granted));

  it('a bundle grants its current scopes, each once', () => {
    expect(expandScopes(['all-read', 'agents:read', 'all'])).toHaveLength(29);
  });

  it('scopes that are added later are granted by stored bundles, but not by explicit lists', () => {
    const added = { ...scopeFile, customer: [...scopeFile.customer, 'faxes:read', 'faxes:send'] };
    jest.isolateModules(() => {
      jest.doMock('./scopes.json', () => added);
      const later = jest.requireActual<typeof import('./scopes')>('./scopes');
      expect(later.expandScopes(['all'])).toEqual(expect.arrayContaining(['faxes:read', 'faxes:send']));
      expect(later.expandScopes(['all-read'])).toContain('faxes:read');
      expect(later.expandScopes(['all-read'])).not.toContain('faxes:send');
      expect(later.expandScopes(['all-write'])).toContain('faxes:send');
      expect(later.expandScopes([...customerScopes])).toHaveLength(29);
    });
    jest.dontMock('./scopes.json');
  });

  it('operator:* is not a wildcard', () => {
    expect(expandScopes(['operator:*'])).not.toContain('operator:read');
  });
});

it.each<[string, boolean, boolean, boolean]>([
  ['agents:read', true, false, true],
  ['all', false, true, true],
  ['operator:read', true, false, false],
  ['calls:authorize', true, false, false],
  ['agents', false, false, false],
  ['constructor', false, false, false],
  ['', false, false, false],
])('%p is a scope: %p, a bundle: %p, may be granted to customers: %p', (name, scope, bundleName, grantable) => {
  expect([isScope(name), isBundle(name), isCustomerGrantable(name)]).toEqual([scope, bundleName, grantable]);
});

it('GET /v1/api-keys/scopes contains exactly bundles, groups, operator_only and specialized', () => {
  const catalogue = bundleCatalogue();
  expect(Object.keys(catalogue)).toEqual(['bundles', 'groups', 'operator_only', 'specialized']);
  expect(catalogue.bundles.map((entry) => Object.keys(entry))).toEqual(
    Array(3).fill(['id', 'expands_to', 'description']),
  );
  expect(catalogue.groups['sms']).toEqual(['sms:read', 'sms:send']);
  expect(Object.values(catalogue.groups).flat().sort()).toEqual([...customerScopes].sort());
});

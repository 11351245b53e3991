import { customerScopes, isCustomerGrantable, operatorScopes, scopeBundles, specializedScopes } from '@parley/contract';
import { AppError } from '@parley/errors';
import fc from 'fast-check';
import { clampScopes, type Issuer } from './clamp-scopes.rules';
import { scopeCatalog } from './scope-catalog.rules';

const customer = (...scopes: string[]): Issuer => ({ kind: 'customer', scopes });
const operator: Issuer = { kind: 'operator', scopes: ['all', ...operatorScopes] };

function outcome(requested: readonly string[], issuer: Issuer): string[] | string {
  try {
    return clampScopes(requested, issuer, scopeCatalog);
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.code}`;
    throw error;
  }
}

const allRead = scopeBundles.find(({ id }) => id === 'all-read')?.expands_to ?? [];

describe('clampScopes', () => {
  it.each<[string, string[], Issuer, string[] | string]>([
    ['a scope of the issuer is granted', ['agents:read'], customer('agents:read', 'calls:read'), ['agents:read']],
    [
      'a scope that the issuer lacks is omitted',
      ['agents:read', 'wallet:write'],
      customer('agents:read'),
      ['agents:read'],
    ],
    [
      '403 if no requested scope can be granted',
      ['wallet:write', 'calls:write'],
      customer('agents:read'),
      '403 ForbiddenError',
    ],
    ['400 for an unknown scope', ['agents:read', 'agents:fly'], customer('all'), '400 BadRequestError'],
    [
      '400 for an unknown scope takes precedence over 403 for a missing one',
      ['wallet:write', 'nope:x'],
      customer('agents:read'),
      '400 BadRequestError',
    ],
    ['400 for an empty list', [], customer('all'), '400 BadRequestError'],
    ['a repeated scope is granted once', ['calls:read', 'calls:read'], customer('all'), ['calls:read']],
    ['a bundle is granted by its name', ['all-read'], customer('all'), ['all-read']],
    ['an issuer with every scope of a bundle can grant the bundle', ['all-read'], customer(...allRead), ['all-read']],
    [
      '403 for a bundle of which the issuer lacks one scope',
      ['all-read'],
      customer(...allRead.slice(1)),
      '403 ForbiddenError',
    ],
    [
      '403 for such a bundle even if explicit scopes could be granted',
      ['all', 'agents:read'],
      customer('all-read'),
      '403 ForbiddenError',
    ],
    [
      'a bundle is granted although explicit scopes next to it are omitted',
      ['all-read', 'calls:write'],
      customer('all-read'),
      ['all-read'],
    ],
    ['an issuer with a bundle can grant a scope of it', ['sms:send'], customer('all-write'), ['sms:send']],
    ['all-write includes workflows:arm', ['workflows:arm'], customer('all-write'), ['workflows:arm']],
    ['all-read does not include write scopes', ['agents:write'], customer('all-read'), '403 ForbiddenError'],
    ['operator:* is a name, not a pattern', ['operator:read'], customer('operator:*'), '403 ForbiddenError'],
    ['all includes no operator scope', ['operator:read'], customer('all'), '403 ForbiddenError'],
    [
      'an operator can grant component_credentials:lease',
      ['component_credentials:lease', 'knowledge:query'],
      { kind: 'operator', scopes: ['all', 'component_credentials:lease', 'knowledge:query'] },
      ['component_credentials:lease'],
    ],
    [
      'a customer with component_credentials:lease cannot grant it',
      ['component_credentials:lease'],
      customer('all', 'component_credentials:lease'),
      '403 ForbiddenError',
    ],
    ['all includes no specialized scope', ['calls:authorize'], customer('all'), '403 ForbiddenError'],
    [
      'a customer with a worker scope cannot grant it',
      ['worker_jobs:claim'],
      customer('worker_jobs:claim'),
      '403 ForbiddenError',
    ],
    ['an operator can grant any customer scope', ['all', 'wallet:write'], operator, ['all', 'wallet:write']],
    [
      'an operator can grant worker scopes',
      ['worker_jobs:claim', 'worker_jobs:heartbeat'],
      operator,
      ['worker_jobs:claim', 'worker_jobs:heartbeat'],
    ],
    ['an operator cannot grant operator scopes', ['operator:write'], operator, '403 ForbiddenError'],
    ['an operator cannot grant specialized scopes', ['number-rules:read'], operator, '403 ForbiddenError'],
    [
      'a hosted worker cannot grant customer scopes',
      ['agents:read'],
      { kind: 'hosted', scopes: ['worker_jobs:claim'] },
      '403 ForbiddenError',
    ],
  ])('%s', (_, requested, issuer, expected) => {
    expect(outcome(requested, issuer)).toEqual(expected);
  });

  it('the error names the first requested scope if none can be granted', () => {
    expect(() => clampScopes(['wallet:write', 'calls:write'], customer('agents:read'), scopeCatalog)).toThrow(
      expect.objectContaining({ message: 'missing required scope: wallet:write' }),
    );
  });
});

describe('chains of keys that create keys', () => {
  const names = [...customerScopes, ...operatorScopes, ...specializedScopes, ...scopeBundles.map(({ id }) => id)];
  const request = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 12 });
  // Bundles and requests with many scopes are generated more often, to get long chains: a single random scope rarely remains after clamping.
  const likely = fc.oneof(request, fc.constantFrom(['all'], ['all-read'], ['all-write'], [...customerScopes]));

  it.each<[string, Issuer['kind']]>([
    ['a customer', 'customer'],
    ['an operator', 'operator'],
  ])('no chain that starts with %s yields a scope that the first key lacks', (_, kind) => {
    fc.assert(
      fc.property(likely, fc.array(likely, { minLength: 1, maxLength: 6 }), (rootScopes, chain) => {
        let issuer: Issuer = { kind, scopes: rootScopes };
        const root = new Set(scopeCatalog.expand(rootScopes));
        for (const requested of chain) {
          const granted = outcome(requested, issuer);
          if (typeof granted === 'string') continue;
          const held = new Set(scopeCatalog.expand(issuer.scopes));
          for (const scope of scopeCatalog.expand(granted)) {
            expect(root.has(scope)).toBe(true);
            expect(held.has(scope)).toBe(true);
          }
          issuer = customer(...granted);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a customer never grants a scope other than customer scopes', () => {
    fc.assert(
      fc.property(likely, likely, (held, requested) => {
        const granted = outcome(requested, customer(...held));
        if (typeof granted !== 'string') expect(granted.filter((scope) => !isCustomerGrantable(scope))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('never grants a scope that was not requested', () => {
    fc.assert(
      fc.property(likely, (requested) => {
        const granted = outcome(requested, operator);
        if (typeof granted !== 'string')
          expect(granted.filter((scope) => !(requested as readonly string[]).includes(scope))).toEqual([]);
      }),
    );
  });
});

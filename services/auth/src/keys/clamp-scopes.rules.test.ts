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

describe('clamping', () => {
  it.each<[string, string[], Issuer, string[] | string]>([
    ['what the issuer holds is given', ['agents:read'], customer('agents:read', 'calls:read'), ['agents:read']],
    ['what it does not hold is cut', ['agents:read', 'wallet:write'], customer('agents:read'), ['agents:read']],
    ['nothing left is refused', ['wallet:write', 'calls:write'], customer('agents:read'), '403 ForbiddenError'],
    ['an unknown scope is refused', ['agents:read', 'agents:fly'], customer('all'), '400 BadRequestError'],
    [
      'an unknown scope is refused before a missing one',
      ['wallet:write', 'nope:x'],
      customer('agents:read'),
      '400 BadRequestError',
    ],
    ['no scope at all is refused', [], customer('all'), '400 BadRequestError'],
    ['a scope named twice is given once', ['calls:read', 'calls:read'], customer('all'), ['calls:read']],
    ['a bundle keeps its name', ['all-read'], customer('all'), ['all-read']],
    ['a bundle passes on the full explicit expansion', ['all-read'], customer(...allRead), ['all-read']],
    [
      'a bundle fails when one scope of it is missing',
      ['all-read'],
      customer(...allRead.slice(1)),
      '403 ForbiddenError',
    ],
    [
      'a bundle that fails is not saved by explicit scopes',
      ['all', 'agents:read'],
      customer('all-read'),
      '403 ForbiddenError',
    ],
    [
      'a bundle stays next to explicit scopes that are cut',
      ['all-read', 'calls:write'],
      customer('all-read'),
      ['all-read'],
    ],
    ['a bundle of the issuer covers an explicit scope', ['sms:send'], customer('all-write'), ['sms:send']],
    ['all-write covers arming', ['workflows:arm'], customer('all-write'), ['workflows:arm']],
    ['all-read does not cover writing', ['agents:write'], customer('all-read'), '403 ForbiddenError'],
    ['operator:* is a name, not a pattern', ['operator:read'], customer('operator:*'), '403 ForbiddenError'],
    ['all yields no operator scope', ['operator:read'], customer('all'), '403 ForbiddenError'],
    [
      'an operator grants the lease of component credentials',
      ['component_credentials:lease', 'knowledge:query'],
      { kind: 'operator', scopes: ['all', 'component_credentials:lease', 'knowledge:query'] },
      ['component_credentials:lease'],
    ],
    [
      'a customer that holds the lease of component credentials does not pass it on',
      ['component_credentials:lease'],
      customer('all', 'component_credentials:lease'),
      '403 ForbiddenError',
    ],
    ['all yields no specialized scope', ['calls:authorize'], customer('all'), '403 ForbiddenError'],
    [
      'a customer that holds a worker scope cannot pass it on',
      ['worker_jobs:claim'],
      customer('worker_jobs:claim'),
      '403 ForbiddenError',
    ],
    ['an operator gives any customer scope', ['all', 'wallet:write'], operator, ['all', 'wallet:write']],
    [
      'an operator makes worker keys',
      ['worker_jobs:claim', 'worker_jobs:heartbeat'],
      operator,
      ['worker_jobs:claim', 'worker_jobs:heartbeat'],
    ],
    ['an operator makes no operators', ['operator:write'], operator, '403 ForbiddenError'],
    ['an operator gives no specialized scope', ['number-rules:read'], operator, '403 ForbiddenError'],
    [
      'a hosted worker mints nothing for customers',
      ['agents:read'],
      { kind: 'hosted', scopes: ['worker_jobs:claim'] },
      '403 ForbiddenError',
    ],
  ])('%s', (_, requested, issuer, expected) => {
    expect(outcome(requested, issuer)).toEqual(expected);
  });

  it('names the first requested scope when nothing is left', () => {
    expect(() => clampScopes(['wallet:write', 'calls:write'], customer('agents:read'), scopeCatalog)).toThrow(
      expect.objectContaining({ message: 'missing required scope: wallet:write' }),
    );
  });
});

describe('chains of mints', () => {
  const names = [...customerScopes, ...operatorScopes, ...specializedScopes, ...scopeBundles.map(({ id }) => id)];
  const request = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 12 });
  // Bundles and requests with many scopes are generated more often, to get long chains: a single random scope rarely remains after clamping.
  const likely = fc.oneof(request, fc.constantFrom(['all'], ['all-read'], ['all-write'], [...customerScopes]));

  it.each<[string, Issuer['kind']]>([
    ['a customer', 'customer'],
    ['an operator', 'operator'],
  ])('no chain of mints from %s yields a scope that its root lacks', (_, kind) => {
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

  it('no customer ever mints anything but customer scopes', () => {
    fc.assert(
      fc.property(likely, likely, (held, requested) => {
        const granted = outcome(requested, customer(...held));
        if (typeof granted !== 'string') expect(granted.filter((scope) => !isCustomerGrantable(scope))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('never gives what was not requested', () => {
    fc.assert(
      fc.property(likely, (requested) => {
        const granted = outcome(requested, operator);
        if (typeof granted !== 'string')
          expect(granted.filter((scope) => !(requested as readonly string[]).includes(scope))).toEqual([]);
      }),
    );
  });
});

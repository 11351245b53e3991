import { customerScopes, expandScopes, isBundle, isScope, operatorScopes } from '@parley/contract';
import type { ScopeCatalog } from './clamp-scopes.rules';

const customer: ReadonlySet<string> = new Set(customerScopes);

/** The scope catalogue of this release (docs/reference/keys.md). */
export const scopeCatalog: ScopeCatalog & { readonly operatorOnly: readonly string[] } = {
  isKnown: (scope) => isScope(scope) || isBundle(scope),
  isBundle,
  isCustomer: (scope) => customer.has(scope),
  expand: expandScopes,
  operatorOnly: operatorScopes,
};

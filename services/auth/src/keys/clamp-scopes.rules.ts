import { badRequest, missingScope } from '@parley/errors';

export type KeyKind = 'customer' | 'operator' | 'hosted' | 'hosted_simulation' | 'gateway';

/** The current scope catalogue. A bundle that a key stores by name also includes scopes that were added to it later. */
export interface ScopeCatalog {
  isKnown(scope: string): boolean;
  isBundle(scope: string): boolean;
  /** Scopes that a customer may be granted. */
  isCustomer(scope: string): boolean;
  /** Replaces bundles by their current scopes; explicit scopes are unchanged. */
  expand(stored: readonly string[]): readonly string[];
}

export interface Issuer {
  readonly kind: KeyKind;
  /** As stored: bundles are not expanded. */
  readonly scopes: readonly string[];
}

/**
 * The scopes that an operator may grant in addition to customer scopes: to a self-hosted worker (docs/reference/keys.md#workers), and to a key that leases
 * component credentials.
 */
const operatorGrants: ReadonlySet<string> = new Set([
  'worker_jobs:claim',
  'worker_jobs:heartbeat',
  'component_credentials:lease',
]);

/**
 * Returns the scopes that a new key receives from those requested, in the requested order (docs/reference/keys.md, clamping). A bundle is granted by name if
 * the issuer holds every scope that it currently includes. Explicit scopes are reduced to those that the issuer holds.
 * @throws BadRequestError for an unknown scope; ForbiddenError for a bundle that the issuer does not hold completely, and if no scope is left
 */
export function clampScopes(requested: readonly string[], issuer: Issuer, catalog: ScopeCatalog): string[] {
  const distinct = [...new Set(requested)];
  const [first] = distinct;
  if (first === undefined) throw badRequest('scopes: must name at least one scope');
  const unknown = distinct.find((scope) => !catalog.isKnown(scope));
  if (unknown !== undefined) throw badRequest(`scopes: unknown scope ${unknown}`);

  const held = new Set(catalog.expand(issuer.scopes));
  for (const bundle of distinct.filter((scope) => catalog.isBundle(scope))) {
    const lacking = catalog.expand([bundle]).find((scope) => !held.has(scope));
    if (lacking !== undefined) throw missingScope(lacking);
  }
  const mayGrant = (scope: string): boolean =>
    catalog.isCustomer(scope) || (issuer.kind === 'operator' && operatorGrants.has(scope));
  const granted = distinct.filter((scope) => catalog.isBundle(scope) || (held.has(scope) && mayGrant(scope)));
  if (granted.length === 0) throw missingScope(first);
  return granted;
}

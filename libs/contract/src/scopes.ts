import catalogue from './scopes.json';

/** The scope catalogue (docs/reference/keys.md), read from scopes.json. */

const customer = catalogue.customer as readonly string[];
const operatorOnly = catalogue.operator_only as readonly string[];
const specialized = catalogue.specialized as readonly string[];

/** A scope as `namespace:action`. `operator:*` and `provider_mutations:*` are names of scopes, not patterns. */
export type Scope = `${string}:${string}`;

/** The 29 scopes that a customer's key may have. */
export const customerScopes: readonly Scope[] = customer as readonly Scope[];
/** The 12 scopes of the platform's operators. */
export const operatorScopes: readonly Scope[] = operatorOnly as readonly Scope[];
/** The 8 scopes of specialized principals. No bundle contains them. */
export const specializedScopes: readonly Scope[] = specialized as readonly Scope[];

const allScopes: ReadonlySet<string> = new Set([...customer, ...operatorOnly, ...specialized]);

const writeEndings = [':write', ':send', ':arm'];

export interface ScopeBundle {
  readonly id: string;
  readonly expands_to: readonly Scope[];
  readonly description: string;
}

/** Bundles are stored by name and expanded at each use, so that they include scopes added later. */
export const scopeBundles: readonly ScopeBundle[] = [
  { id: 'all', expands_to: customerScopes, description: 'Every scope that a customer can grant.' },
  {
    id: 'all-read',
    expands_to: customerScopes.filter((scope) => scope.endsWith(':read')),
    description: 'Every scope that a customer can grant and that ends in :read.',
  },
  {
    id: 'all-write',
    expands_to: customerScopes.filter((scope) => writeEndings.some((ending) => scope.endsWith(ending))),
    description: 'Every scope that a customer can grant and that ends in :write, :send or :arm.',
  },
];

const bundlesById: ReadonlyMap<string, ScopeBundle> = new Map(scopeBundles.map((bundle) => [bundle.id, bundle]));

/** True for the name of a bundle. */
export const isBundle = (name: string): boolean => bundlesById.has(name);

/** True for a scope of the catalogue (bundles excluded). */
export const isScope = (name: string): name is Scope => allScopes.has(name);

/** Whether a customer's key may have it: a customer scope or a bundle. */
export const isCustomerGrantable = (name: string): boolean => isBundle(name) || customer.includes(name);

/**
 * The scopes that a stored list currently grants: bundles are replaced by their current scopes, without duplicates. Names that no longer exist grant nothing.
 */
export function expandScopes(stored: readonly string[]): Scope[] {
  const expanded = new Set<Scope>();
  for (const name of stored) {
    for (const scope of bundlesById.get(name)?.expands_to ?? (isScope(name) ? [name] : [])) expanded.add(scope);
  }
  return [...expanded];
}

export interface ScopeCatalogueAnswer {
  readonly bundles: readonly ScopeBundle[];
  /** The customer scopes by namespace. */
  readonly groups: Readonly<Record<string, readonly Scope[]>>;
  readonly operator_only: readonly Scope[];
  readonly specialized: readonly Scope[];
}

/** The response of GET /v1/api-keys/scopes (docs/reference/requests.md). */
export function bundleCatalogue(): ScopeCatalogueAnswer {
  const groups: Record<string, Scope[]> = {};
  for (const scope of customerScopes) (groups[scope.slice(0, scope.indexOf(':'))] ??= []).push(scope);
  return { bundles: scopeBundles, groups, operator_only: operatorScopes, specialized: specializedScopes };
}

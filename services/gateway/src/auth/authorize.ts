import type { AnyRoute } from '@parley/contract';
import { forbidden, missingScope } from '@parley/errors';
import type { Caller } from '@parley/runtime';

/** @throws 403 `missing required scope: <scope>` (docs/reference/errors.md), then 403 for a kind of credential that the route does not accept */
export function requireScope(route: AnyRoute, caller: Caller): void {
  const needed = route.scope === null ? route.alsoScopes : [route.scope, ...route.alsoScopes];
  const replaced = route.orScope !== undefined && caller.scopes.includes(route.orScope);
  const missing = needed.find((scope) => !caller.scopes.includes(scope) && !(replaced && scope === route.scope));
  if (missing !== undefined) throw missingScope(missing);
  if (!route.audience.some((kind) => kind === caller.kind)) {
    throw forbidden('this kind of credential cannot be used for this route');
  }
}

/**
 * The organization on which a request acts: the caller's own, or the one that an operator specified in path, query or body; '' for an operator that specified
 * none. Specifying another organization than the caller's is 403 (docs/reference/keys.md#foreign-reads), and so is specifying two different ones.
 * @param before what it is without the names
 */
export function actingOrganization(caller: Caller, before: string, names: readonly unknown[]): string {
  let acting = before;
  for (const named of names) {
    if (typeof named !== 'string' || named === '') continue;
    if (acting === '' && caller.kind === 'operator') acting = named;
    if (named !== acting) throw forbidden();
  }
  return acting;
}

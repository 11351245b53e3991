import type { AnyRoute, JsonObject, RawQuery } from '@parley/contract';
import { forbidden, missingScope } from '@parley/errors';
import type { Caller } from '@parley/runtime';
import { valuesOf } from '../http';

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
 */
export function actingOrganization(
  caller: Caller,
  params: Readonly<Record<string, string>>,
  query: RawQuery,
  body: JsonObject,
): string {
  let acting = caller.organizationId;
  const name = (named: unknown): void => {
    if (typeof named !== 'string' || named === '') return;
    if (acting === '' && caller.kind === 'operator') acting = named;
    if (named !== acting) throw forbidden();
  };
  name(params.organization_id);
  valuesOf(query, 'organization_id').forEach(name);
  name(body.organization_id);
  return acting;
}

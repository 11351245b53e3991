import type { AnyRoute } from '@parley/contract';
import { requestOf } from './declared-requests';

/** Arguments that the tool of a route accepts: what the route's path and body need. */
export function argumentsOf(route: AnyRoute): Record<string, unknown> {
  const given: Record<string, unknown> = { ...(requestOf(route).body as object | undefined) };
  for (const [, name] of route.path.matchAll(/\{(\w+)\}/g)) given[name ?? ''] = 'agt_x';
  if (route.id === 'diff-publication') given.against = '1';
  return given;
}

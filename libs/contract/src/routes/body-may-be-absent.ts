import { factsOf } from '../rules/class-facts';
import type { AnyRoute } from './route';

/** Whether no body at all says the same as `{}`: of an act upon a record whose every field may be left out. */
export function bodyMayBeAbsent({ method, byId, body }: AnyRoute): boolean {
  if (method !== 'POST' || byId === undefined || body === undefined) return false;
  return [...factsOf(body).fields.values()].every(({ presence }) => presence !== 'required');
}

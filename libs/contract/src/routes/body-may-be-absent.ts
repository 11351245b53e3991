import { factsOf } from '../rules/class-facts';
import type { AnyRoute } from './route';

/** Whether an absent body means `{}`. This is the case for actions on a record whose fields are all optional. */
export function bodyMayBeAbsent({ method, byId, body }: AnyRoute): boolean {
  if (method !== 'POST' || byId === undefined || body === undefined) return false;
  return [...factsOf(body).fields.values()].every(({ presence }) => presence !== 'required');
}

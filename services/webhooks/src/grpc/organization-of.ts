import { forbidden } from '@parley/errors';
import type { CallContext } from '@parley/runtime';

/**
 * The organization that a request is bound to. The gateway has compared it already; it is compared again here because this
 * service owns the rows. Empty only for an operator who names none, and for services.
 */
export function organizationOf(request: { readonly organizationId: string }, { caller }: CallContext): string {
  const { organizationId } = request;
  if (caller !== undefined && caller.kind !== 'operator' && caller.kind !== 'service' && caller.organizationId !== '') {
    if (organizationId !== caller.organizationId) throw forbidden();
  }
  return organizationId;
}

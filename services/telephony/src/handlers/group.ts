import { forbidden } from '@parley/errors';
import type { CreatingRequest, PublicCall, PublicHandlers } from '@parley/service';

/** Handlers of some of the public routes of this service. */
export type Group<Name extends keyof PublicHandlers<'telephony'>> = Pick<PublicHandlers<'telephony'>, Name>;

/**
 * The organization whose records a request reaches; '' for an operator who names none. Only the routes of workers and media gateways serve the hosted
 * credentials, which belong to no organization.
 * @throws AppError ForbiddenError
 */
export function ownOrganization({ caller, organizationId }: Pick<PublicCall, 'caller' | 'organizationId'>): string {
  const mayNameNone = caller.kind === 'operator' || caller.kind === 'service';
  if (organizationId === '' && !mayNameNone) throw forbidden();
  return organizationId;
}

/** As `ownOrganization`, for lists and for what belongs to an organization. @throws AppError BadRequestError for an operator who names none */
export function namedOrganization(call: Pick<PublicCall, 'caller' | 'organizationId' | 'namedOrganizationId'>): string {
  return ownOrganization(call) === '' ? call.namedOrganizationId : call.organizationId;
}

/** What a creation needs whose organization may follow from its agent. */
export function creation(call: Pick<PublicCall, 'caller' | 'organizationId' | 'creating'>): {
  /** Empty for an operator who named none. */
  readonly organizationId: string;
  /** How the request is remembered, in the space of an organization. */
  readonly request: (organizationId: string) => CreatingRequest;
} {
  return {
    organizationId: ownOrganization(call),
    request: (organizationId) => call.creating(organizationId),
  };
}

import { badRequest } from '@parley/errors';

/** The organization whose records are listed. An operator belongs to none and must name one. */
export function named(organizationId: string): string {
  if (organizationId === '') throw badRequest('organization_id is required: the credential belongs to no organization');
  return organizationId;
}

import { notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { findPublication, type StoredPublication } from './publications.sql';

/** NotFoundError for a hash that the organization has no publication of, no matter who else may have one. */
export async function getPublication(
  db: Queryable,
  organizationId: string,
  sha256: string,
): Promise<StoredPublication> {
  const publication = await findPublication(db, organizationId, sha256);
  if (publication === undefined) throw notFound('publication');
  return publication;
}

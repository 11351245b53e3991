import { badRequest } from '@parley/errors';
import type { Database } from '@parley/runtime';
import { readBillingChanges, type BillingChanges } from './billing-changes.cross-tenant.sql';

/** Changes of one answer; a service that is further behind asks again. */
const changesPerAnswer = 1_000;

/** @throws BadRequestError for an epoch below 0 */
export async function listBillingChanges(
  db: Database,
  sinceEpoch: string,
): Promise<BillingChanges & { readonly more: boolean }> {
  if (sinceEpoch.startsWith('-')) throw badRequest('since_epoch: must be 0 or more');
  const read = await readBillingChanges(db, sinceEpoch, changesPerAnswer);
  return { ...read, more: read.changes.length === changesPerAnswer };
}

import type { BillingMode } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { BillingChange } from './organizations.sql';

export interface BillingChanges {
  /** The newest control epoch of this database. */
  readonly epoch: string;
  readonly changes: readonly BillingChange[];
}

/**
 * The organizations whose way of paying changed after an epoch, in the order of the changes. The epoch's row is locked until a change is committed, so that
 * none appears behind one that was read.
 */
export async function readBillingChanges(db: Queryable, sinceEpoch: string, limit: number): Promise<BillingChanges> {
  const { rows } = await db.query<{
    epoch: string;
    organization_ids: string[];
    billings: BillingMode[];
    epochs: string[];
  }>({
    name: 'read-billing-changes',
    text: `select (select epoch from control_epoch)::text as epoch,
             coalesce(array_agg(organization_id order by billing_epoch), '{}') as organization_ids,
             coalesce(array_agg(billing order by billing_epoch), '{}') as billings,
             coalesce(array_agg(billing_epoch::text order by billing_epoch), '{}') as epochs
           from (select organization_id, billing, billing_epoch from organizations
                 where billing_epoch > $1::bigint order by billing_epoch limit $2) changed`,
    values: [sinceEpoch, limit],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the control epoch is gone');
  const changes = row.organization_ids.map((organizationId, index) => ({
    organizationId,
    billing: row.billings[index] as BillingMode,
    epoch: row.epochs[index] as string,
  }));
  return { epoch: row.epoch, changes };
}

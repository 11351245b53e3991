import type { Queryable } from '@parley/runtime';
import type { Billing } from './organization-state.rules';

/** A change of an organization's billing mode, with the control epoch of the change. */
export interface BillingChange {
  readonly organizationId: string;
  readonly billing: Billing;
  readonly epoch: string;
}

/**
 * Applies changes of billing modes. The revision is incremented, so that no batch decided with the old mode is written; existing reservations remain as they
 * were made. If an organization has no counter row, one is created, so that an older response of auth cannot create it with the old mode later. Rows are
 * locked in the order of their ids.
 */
export async function applyBilling(tx: Queryable, changes: readonly BillingChange[]): Promise<void> {
  await tx.query({
    name: 'billing-apply',
    text: `insert into organization_controls as c (organization_id, billing, billing_epoch)
           select given.organization_id, given.billing, given.epoch
           from unnest($1::text[], $2::text[], $3::bigint[]) as given (organization_id, billing, epoch)
           order by given.organization_id
           on conflict (organization_id) do update set billing = excluded.billing, billing_epoch = excluded.billing_epoch,
             revision = c.revision + 1
           where c.billing_epoch <> excluded.billing_epoch or c.billing is distinct from excluded.billing`,
    values: [
      changes.map(({ organizationId }) => organizationId),
      changes.map(({ billing }) => billing),
      changes.map(({ epoch }) => epoch),
    ],
  });
}

export async function ownerOfTopUp(db: Queryable, topUpId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'top-up-owner',
    text: 'select organization_id from wallet_top_ups where top_up_id = $1',
    values: [topUpId],
  });
  return rows[0]?.organization_id;
}

/** Locks the position of the mirror until the transaction ends and returns it; undefined if another process runs it. */
export async function lockPosition(tx: Queryable): Promise<string | undefined> {
  const { rows } = await tx.query<{ position: string }>({
    name: 'billing-position-lock',
    text: `select position from background_cursors where name = 'billing' for update skip locked`,
  });
  return rows[0]?.position;
}

export async function movePosition(tx: Queryable, position: string): Promise<void> {
  await tx.query({
    name: 'billing-position-move',
    text: `update background_cursors set position = $1 where name = 'billing'`,
    values: [position],
  });
}

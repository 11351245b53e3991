import type { OrganizationRecord } from './organization.rules';
import { organizationColumns, organizationOf, type OrganizationRow } from './organization-rows.rules';
import type { PageBefore } from '../rows.rules';
import type { BillingMode } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { BillingChange } from './organizations.sql';

/** Returns the organization that owns a project; undefined if there is no such project. */
export async function findProjectOwner(db: Queryable, projectId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-project-owner',
    text: 'select organization_id from projects where project_id = $1',
    values: [projectId],
  });
  return rows[0]?.organization_id;
}

/** Every organization, for operators. */
export async function listOrganizations(db: Queryable, page: PageBefore): Promise<OrganizationRecord[]> {
  const { rows } = await db.query<OrganizationRow>({
    name: 'list-organizations',
    text: `select ${organizationColumns} from organizations
           where (created_at, organization_id) < ($1::timestamptz, $2)
           order by created_at desc, organization_id desc limit $3::integer + 1`,
    values: [page.createdBefore, page.idBefore, page.limit],
  });
  return rows.map(organizationOf);
}

export interface BillingChanges {
  /** The newest control epoch of this database. */
  readonly epoch: string;
  readonly changes: readonly BillingChange[];
}

/**
 * Returns the organizations whose billing changed after an epoch, in the order of the changes. Each change locks the epoch row until its commit, so no change
 * with a lower epoch can become visible after a higher one was read.
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
  if (row === undefined) throw new Error('the control epoch is missing');
  const changes = row.organization_ids.map((organizationId, index) => ({
    organizationId,
    billing: row.billings[index] as BillingMode,
    epoch: row.epochs[index] as string,
  }));
  return { epoch: row.epoch, changes };
}

/** For each kind of record that this service creates: a condition that the record still exists. Its stored response is kept as long. */
export const recordExists: Readonly<Record<string, string>> = {
  key: 'exists (select 1 from api_keys where key_id = idempotency.record_id)',
  org: 'exists (select 1 from organizations where organization_id = idempotency.record_id)',
  ver: 'exists (select 1 from verifications where verification_id = idempotency.record_id)',
  prj: 'exists (select 1 from projects where project_id = idempotency.record_id)',
};

import type { Queryable } from '@parley/runtime';
import type { OrganizationRecord } from '../domain/records';
import { pageOf, type PageOf, type PageRequest } from './page';
import { onlyRow, timeText } from './rows';

export type OrganizationStatus = 'active' | 'suspended';

interface OrganizationRow {
  readonly organization_id: string;
  readonly name: string;
  readonly billing: string;
  readonly status: string;
  readonly created_at: Date;
}

const columns = 'organization_id, name, billing, status, created_at';

const recordOf = (row: OrganizationRow): OrganizationRecord => ({
  organizationId: row.organization_id,
  name: row.name,
  billing: row.billing,
  status: row.status,
  createdAt: timeText(row.created_at),
});

export async function insertOrganization(
  tx: Queryable,
  organizationId: string,
  name: string,
  billing: string,
): Promise<OrganizationRecord> {
  const result = await tx.query<OrganizationRow>({
    name: 'insert-organization',
    text: `insert into organizations (organization_id, name, billing) values ($1, $2, $3) returning ${columns}`,
    values: [organizationId, name, billing],
  });
  return recordOf(onlyRow(result));
}

export async function organizationExists(db: Queryable, organizationId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'organization-exists',
    text: 'select 1 from organizations where organization_id = $1',
    values: [organizationId],
  });
  return rowCount > 0;
}

/** The organization locked for a change of its status; undefined when there is none. */
export async function lockOrganization(tx: Queryable, organizationId: string): Promise<OrganizationRecord | undefined> {
  const { rows } = await tx.query<OrganizationRow>({
    name: 'lock-organization',
    text: `select ${columns} from organizations where organization_id = $1 for update`,
    values: [organizationId],
  });
  return rows[0] && recordOf(rows[0]);
}

export async function setOrganizationStatus(
  tx: Queryable,
  organizationId: string,
  status: OrganizationStatus,
): Promise<OrganizationRecord> {
  const result = await tx.query<OrganizationRow>({
    name: 'set-organization-status',
    text: `update organizations set status = $2 where organization_id = $1 returning ${columns}`,
    values: [organizationId, status],
  });
  return recordOf(onlyRow(result));
}

/** Every organization, for operators. */
export async function listOrganizations(db: Queryable, page: PageRequest): Promise<PageOf<OrganizationRecord>> {
  const { rows } = await db.query<OrganizationRow>({
    name: 'list-organizations',
    text: `select ${columns} from organizations
           where (created_at, organization_id) < ($1::timestamptz, $2)
           order by created_at desc, organization_id desc limit $3::integer + 1`,
    values: [page.createdBefore, page.idBefore, page.limit],
  });
  return pageOf(rows.map(recordOf), page, (organization) => organization.organizationId);
}

import type { Queryable } from '@parley/runtime';
import type { OrganizationRecord } from '../domain/records';
import { organizationColumns, organizationOf, type OrganizationRow } from './organizations';
import type { PageBefore } from './rows';

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

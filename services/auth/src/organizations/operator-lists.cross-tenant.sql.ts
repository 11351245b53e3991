import type { Queryable } from '@parley/runtime';
import type { OrganizationRecord } from './organization.rules';
import { organizationColumns, organizationOf, type OrganizationRow } from './organization-rows.rules';
import type { PageBefore } from '../rows.rules';

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

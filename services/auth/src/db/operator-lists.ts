import type { Queryable } from '@parley/runtime';
import type { OrganizationRecord } from '../domain/records';
import { organizationColumns, organizationOf, type OrganizationRow } from './organizations';
import { pageOf, type PageOf, type PageRequest } from './page';

/** Every organization, for operators. */
export async function listOrganizations(db: Queryable, page: PageRequest): Promise<PageOf<OrganizationRecord>> {
  const { rows } = await db.query<OrganizationRow>({
    name: 'list-organizations',
    text: `select ${organizationColumns} from organizations
           where (created_at, organization_id) < ($1::timestamptz, $2)
           order by created_at desc, organization_id desc limit $3::integer + 1`,
    values: [page.createdBefore, page.idBefore, page.limit],
  });
  return pageOf(rows.map(organizationOf), page, (organization) => organization.organizationId);
}

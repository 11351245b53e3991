import type { OrganizationRecord, ProjectRecord } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { getOrganization } from './get-organization';
import { organizationView, projectView } from './organization-views.rules';
import { listProjects } from './projects.sql';

/** An organization with its newest projects; of a key that belongs to none, null and none. */
export async function organizationAndProjects(
  db: Database,
  organizationId: string,
  limit: number,
): Promise<{ organization: OrganizationRecord | null; projects: ProjectRecord[] }> {
  if (organizationId === '') return { organization: null, projects: [] };
  const organization = await getOrganization(db, organizationId);
  const projects = await listProjects(db, organizationId, { limit, createdBefore: 'infinity', idBefore: '' });
  return { organization: organizationView(organization), projects: projects.slice(0, limit).map(projectView) };
}

import { findProject, listProjects as find } from './projects.sql';
import type { ListQuery, OrganizationRecord, ProjectRecord as ProjectView } from '@parley/contract';
import { type ProjectRecord, projectView, organizationView } from './organization.rules';
import { newestFirst } from '../newest-first';
import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findProjectOwner } from './organizations.cross-tenant.sql';
import { getOrganization } from './read-organizations';

/** @throws AppError NotFoundError if the organization has no such project */
export async function getProject(db: Database, organizationId: string, projectId: string): Promise<ProjectRecord> {
  const project = isId('prj', projectId) ? await findProject(db, organizationId, projectId) : undefined;
  if (project === undefined) throw notFound('project');
  return project;
}

/** A page of an organization's projects, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listProjects = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, page),
    projectView,
    ({ projectId }) => projectId,
  );

/** Returns the organization that owns a project. @throws NotFoundError if there is no such project */
export async function resolveProject(db: Database, projectId: string): Promise<string> {
  const owner = isId('prj', projectId) ? await findProjectOwner(db, projectId) : undefined;
  if (owner === undefined) throw notFound('project');
  return owner;
}

/** Returns an organization and its newest projects; null and an empty list for a key without an organization. */
export async function organizationAndProjects(
  db: Database,
  organizationId: string,
  limit: number,
): Promise<{ organization: OrganizationRecord | null; projects: ProjectView[] }> {
  if (organizationId === '') return { organization: null, projects: [] };
  const organization = await getOrganization(db, organizationId);
  const projects = await find(db, organizationId, { limit, createdBefore: 'infinity', idBefore: '' });
  return { organization: organizationView(organization), projects: projects.slice(0, limit).map(projectView) };
}

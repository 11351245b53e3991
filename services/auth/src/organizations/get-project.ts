import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findProject } from './projects.sql';
import type { ProjectRecord } from './organization.rules';

/** @throws AppError NotFoundError when the organization has none of that id */
export async function getProject(db: Database, organizationId: string, projectId: string): Promise<ProjectRecord> {
  const project = isId('prj', projectId) ? await findProject(db, organizationId, projectId) : undefined;
  if (project === undefined) throw notFound('project');
  return project;
}

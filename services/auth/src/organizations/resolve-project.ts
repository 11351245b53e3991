import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { findProjectOwner } from './project-owner.cross-tenant.sql';

/** The organization that owns a project. NotFoundError when there is no such project. */
export async function resolveProject(db: Database, projectId: string): Promise<string> {
  const owner = isId('prj', projectId) ? await findProjectOwner(db, projectId) : undefined;
  if (owner === undefined) throw notFound('project');
  return owner;
}

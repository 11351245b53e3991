import { AppError, notFound } from '@parley/errors';
import { isId, type OutgoingContext } from '@parley/runtime';
import type { ProjectOwners } from '../principals/project-owners';

/**
 * Resolves a project that a request names and answers the organization the request is then about. A foreign project is
 * answered exactly like an absent one: 404 (section 7.2).
 * @param organizationId '' for an operator who named none: the project's owner is then meant
 */
export async function organizationOfProject(
  owners: ProjectOwners,
  projectId: string,
  organizationId: string,
  context: OutgoingContext,
): Promise<string> {
  if (!isId('prj', projectId)) throw notFound('project');
  let owner: string;
  try {
    owner = await owners.ownerOf(projectId, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') throw notFound('project');
    throw error;
  }
  if (organizationId !== '' && owner !== organizationId) throw notFound('project');
  return owner;
}

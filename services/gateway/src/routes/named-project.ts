import { AppError, forbidden, notFound } from '@parley/errors';
import { isId, type OutgoingContext } from '@parley/runtime';
import type { ProjectOwners } from '../auth';
import { valuesOf } from '../http';
import type { Admission } from './caller-request';

/**
 * A write to a record by id cannot move the record to another project. Therefore a project in the body that is unknown or belongs to another organization is
 * refused with 403 (docs/reference/requests.md, foreign ids). Whether a project of the same organization is the record's is checked by the owning service.
 */
export function refuseForeignProject(owners: ProjectOwners, admission: Admission): void | Promise<void> {
  const { route, call, organizationId, exchange } = admission;
  const project = route.bodyRepeatsProject ? call.body.json.project_id : undefined;
  if (organizationId === '' || !isNamed(project)) return;
  return findOrganization(owners, project, organizationId, exchange).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'NotFoundError') throw forbidden();
      throw error;
    },
  );
}

/**
 * A project specified for a new resource or in a filter must belong to the organization. If an operator specified no organization, the project determines it.
 */
export function resolveProjects(owners: ProjectOwners, admission: Admission): void | Promise<void> {
  const { route, call } = admission;
  const inBody = route.bodyNamesProject ? call.body.json.project_id : undefined;
  const inQuery = route.queryNamesProject ? valuesOf(call.query, 'project_id') : [];
  const named = [inBody, ...inQuery].filter(isNamed);
  if (named.length > 0) return resolve(owners, named, admission);
}

async function resolve(owners: ProjectOwners, named: readonly string[], admission: Admission): Promise<void> {
  for (const project of named) {
    admission.organizationId = await findOrganization(owners, project, admission.organizationId, admission.exchange);
  }
}

const isNamed = (project: unknown): project is string => typeof project === 'string' && project !== '';

/**
 * The organization of a request that specifies a project. A project of another organization is 404, like an unknown one (docs/reference/errors.md).
 * @param organizationId '' for an operator that specified none: then the project's owner is returned
 */
async function findOrganization(
  owners: ProjectOwners,
  projectId: string,
  organizationId: string,
  context: OutgoingContext,
): Promise<string> {
  if (!isId('prj', projectId)) throw notFound('project');
  let owner: string;
  try {
    owner = await owners.findOwner(projectId, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') throw notFound('project');
    throw error;
  }
  if (organizationId !== '' && owner !== organizationId) throw notFound('project');
  return owner;
}

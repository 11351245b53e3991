import { notFound } from '@parley/errors';
import type { CreatingRequest } from '@parley/service';
import { isId, newId, type Caller, type ClientOrigin, type Database } from '@parley/runtime';
import { appendAudit } from '../audit';
import { organizationExists } from './organizations.sql';
import { insertProject } from './projects.sql';
import type { ProjectRecord } from './organization.rules';
import { creatingRecord, type Created } from '../creating-record';

export interface CreateProject {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly name: string;
}

/**
 * Creates a project of an organization. Whether the organization exists is checked before the fields of the project.
 * @throws AppError NotFoundError if an operator names an organization that does not exist
 */
export function createProject(
  db: Database,
  request: CreatingRequest,
  organizationId: string,
  check: () => CreateProject,
): Promise<Created<ProjectRecord>> {
  return creatingRecord(db, request, {
    async check() {
      // Organizations are never deleted, so the result of this look-up stays valid in the transaction that follows.
      const exists = isId('org', organizationId) && (await organizationExists(db, organizationId));
      if (!exists) throw notFound('organization');
      return check();
    },
    work: async (tx, { caller, client, name }) => {
      const project = await insertProject(tx, organizationId, newId('prj'), name);
      const act = { organizationId, action: 'project.created', subject: project.projectId, detail: { name } };
      await appendAudit(tx, act, { caller, client });
      return project;
    },
    idOf: (project) => project.projectId,
  });
}

import { notFound } from '@parley/errors';
import type { CreatingRequest } from '@parley/service';
import { isId, newId, type Caller, type Database } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { organizationExists } from '../db/organizations';
import { insertProject } from '../db/projects';
import type { ProjectRecord } from '../domain/records';
import { creatingRecord, type Created } from './creating-record';

export interface CreateProject {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly name: string;
}

/** Creates a project of an organization. NotFoundError when an operator names an organization that does not exist. */
export function createProject(
  db: Database,
  request: CreatingRequest,
  check: () => CreateProject,
): Promise<Created<ProjectRecord>> {
  return creatingRecord(db, request, {
    check,
    work: async (tx, { caller, organizationId, name }) => {
      const exists = isId('org', organizationId) && (await organizationExists(tx, organizationId));
      if (!exists) throw notFound('organization');
      const project = await insertProject(tx, organizationId, newId('prj'), name);
      await appendAudit(tx, {
        auditId: newId('aud'),
        organizationId,
        actorKeyId: caller.keyId,
        action: 'project.created',
        subject: project.projectId,
        detail: { name },
      });
      return project;
    },
    idOf: (project) => project.projectId,
  });
}

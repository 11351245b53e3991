import { OrganizationCreate, ProjectCreate, validate } from '@parley/contract';
import { creatingRequest } from '@parley/service';
import {
  ListOrganizationsResponse,
  ListProjectsResponse,
  OrganizationResponse,
  ProjectResponse,
  ResolveProjectResponse,
  type AuthServiceServer,
} from '@parley/proto/auth';
import { throwRefusal, type Database, type UnaryHandlers } from '@parley/runtime';
import { createOrganization } from '../usecases/create-organization';
import { createProject } from '../usecases/create-project';
import { getOrganization } from '../usecases/get-organization';
import { listOrganizations } from '../usecases/list-organizations';
import { listProjects } from '../usecases/list-projects';
import { resolveProject } from '../usecases/resolve-project';
import { setStatusOfOrganization } from '../usecases/set-organization-status';
import { callerOf, operatorOf, organizationFor } from './caller';

type OrganizationHandlers = Pick<
  UnaryHandlers<AuthServiceServer>,
  | 'createOrganization'
  | 'getOrganization'
  | 'listOrganizations'
  | 'suspendOrganization'
  | 'reinstateOrganization'
  | 'createProject'
  | 'listProjects'
  | 'resolveProject'
>;

/** Handlers of organizations and their projects. */
export function organizationHandlers(db: Database): OrganizationHandlers {
  return {
    async createOrganization(request, context) {
      const caller = operatorOf(context);
      // Of no organization yet: keys of operators share one space.
      const created = await createOrganization(db, creatingRequest('', request.idempotency), () => {
        throwRefusal(request.idempotency?.refusal);
        const billing = request.billing === '' ? {} : { billing: request.billing };
        const { value } = validate(OrganizationCreate, { name: request.name, ...billing });
        return { caller, name: value.name, billing: value.billing ?? 'unmetered' };
      });
      return OrganizationResponse.fromPartial({ organization: created.record, replayed: created.replayed });
    },

    async getOrganization(request) {
      const organization = await getOrganization(db, request.organizationId);
      return OrganizationResponse.fromPartial({ organization });
    },

    async listOrganizations(request, context) {
      operatorOf(context);
      const page = await listOrganizations(db, request.page);
      return ListOrganizationsResponse.fromPartial({ organizations: page.items, nextCursor: page.nextCursor });
    },

    async suspendOrganization(request, context) {
      const organization = await setStatusOfOrganization(db, operatorOf(context), request.organizationId, 'suspended');
      return OrganizationResponse.fromPartial({ organization });
    },

    async reinstateOrganization(request, context) {
      const organization = await setStatusOfOrganization(db, operatorOf(context), request.organizationId, 'active');
      return OrganizationResponse.fromPartial({ organization });
    },

    async createProject(request, context) {
      const caller = callerOf(context);
      const organizationId = organizationFor(caller, request.organizationId);
      const created = await createProject(db, creatingRequest(organizationId, request.idempotency), () => {
        throwRefusal(request.idempotency?.refusal);
        const { value } = validate(ProjectCreate, { name: request.name });
        return { caller, organizationId, name: value.name };
      });
      return ProjectResponse.fromPartial({ project: created.record, replayed: created.replayed });
    },

    async listProjects(request, context) {
      const organizationId = organizationFor(callerOf(context), request.organizationId);
      const page = await listProjects(db, organizationId, request.page);
      return ListProjectsResponse.fromPartial({ projects: page.items, nextCursor: page.nextCursor });
    },

    async resolveProject(request) {
      return ResolveProjectResponse.fromPartial({ organizationId: await resolveProject(db, request.projectId) });
    },
  };
}

import { routes } from '@parley/contract';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import {
  actingOrganization,
  type MinuteLimit,
  type ProjectOwners,
  type RateLimitHeaders,
  type RateLimits,
  requireScope,
} from '../auth';
import { valuesOf } from '../http';
import { refuseNewWork } from './maintenance';
import { refuseForeignProject, resolveProjects } from './named-project';
import type { Admission, CallerRequest } from './caller-request';

/** Throws or rejects with the AppError that refuses a request. A synchronous check returns no promise. */
export type Check = (admission: Admission) => void | Promise<void>;

export interface CheckParts {
  readonly controlState: ControlStateMirror;
  readonly rateLimits: RateLimits;
  readonly mintLimit: MinuteLimit;
  readonly previewLimit: MinuteLimit;
  readonly projects: ProjectOwners;
}

/** The checks of a request in the order of docs/reference/requests.md, for REST and MCP. What can be checked without the body is checked before it is read. */
export interface Checks {
  readonly beforeBody: readonly Check[];
  /** Between the parsing of the body and forwarding to the owning service. */
  readonly afterBody: readonly Check[];
}

export const checksOf = ({ controlState, rateLimits, mintLimit, previewLimit, projects }: CheckParts): Checks => ({
  beforeBody: [
    ({ route, call }) => requireScope(route.declaration, call.caller),
    (admission) => {
      const { caller, params, query } = admission.call;
      const named = [params.organization_id, ...valuesOf(query, 'organization_id')];
      admission.organizationId = actingOrganization(caller, caller.organizationId, named);
    },
    ({ call }) =>
      call.counted ? undefined : countRequest(rateLimits, call.caller, (name, value) => call.setHeader(name, value)),
    ({ route, call }) => (route.declaration.mints ? mintLimit.admit(call.caller) : undefined),
    ({ route, call }) => (route.declaration === routes.previewVoice ? previewLimit.admit(call.caller) : undefined),
  ],
  afterBody: [
    ({ route, call }) => refuseNewWork(route.declaration, call.body.json, controlState),
    (admission) => {
      const { caller, body } = admission.call;
      const { organization_id: named } = body.json;
      admission.organizationId = actingOrganization(caller, admission.organizationId, [named]);
    },
    (admission) => refuseForeignProject(projects, admission),
    (admission) => resolveProjects(projects, admission),
    ({ call }) => call.body.validateUndeclared(),
  ],
});

/** Undefined if only the default limit of keys applies, so that the request does not wait. */
export function countRequest(
  rateLimits: RateLimits,
  caller: Caller,
  setHeader: CallerRequest['setHeader'],
): Promise<void> | undefined {
  const setHeaders = (headers: RateLimitHeaders): void => {
    for (const [name, value] of Object.entries(headers)) setHeader(name, value);
  };
  if (rateLimits.has(caller)) return rateLimits.admit(caller, setHeaders);
  rateLimits.admitByDefault(caller, setHeaders);
  return undefined;
}

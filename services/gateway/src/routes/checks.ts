import { routes } from '@parley/contract';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import { actingOrganization, type MinuteLimit, type ProjectOwners, type RateLimits, requireScope } from '../auth';
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

/** The checks between the parsing of a request and its forwarding to the owning service, in the order of docs/reference/requests.md, for REST and MCP. */
export function checksOf({
  controlState,
  rateLimits,
  mintLimit,
  previewLimit,
  projects,
}: CheckParts): readonly Check[] {
  return [
    ({ route, call }) => refuseNewWork(route.declaration, call.body.json, controlState),
    ({ route, call }) => requireScope(route.declaration, call.caller),
    (admission) => {
      const { caller, params, query, body } = admission.call;
      admission.organizationId = actingOrganization(caller, params, query, body.json);
    },
    ({ call }) =>
      call.counted ? undefined : countRequest(rateLimits, call.caller, (name, value) => call.setHeader(name, value)),
    ({ route, call }) => (route.declaration.mints ? mintLimit.admit(call.caller) : undefined),
    ({ route, call }) => (route.declaration === routes.previewVoice ? previewLimit.admit(call.caller) : undefined),
    (admission) => refuseForeignProject(projects, admission),
    (admission) => resolveProjects(projects, admission),
    ({ call }) => call.body.validateUndeclared(),
  ];
}

/** Undefined if the organization has no limit, so that the request does not wait. */
export function countRequest(
  rateLimits: RateLimits,
  caller: Caller,
  setHeader: CallerRequest['setHeader'],
): Promise<void> | undefined {
  if (!rateLimits.has(caller)) return undefined;
  return rateLimits.admit(caller, (headers) => {
    for (const [name, value] of Object.entries(headers)) setHeader(name, value);
  });
}

import type { AnyRoute, JsonObject } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { ControlStateMirror } from '@parley/runtime';

const standing = 'maintenance is in progress: no new work is accepted';

/** Body fields that only identify the record and change nothing (docs/reference/agents.md#update). */
const identity: ReadonlySet<string> = new Set(['organization_id', 'project_id']);

/** Refuses new work during maintenance with 503 platform_maintenance (docs/reference/maintenance.md). The route declares whether it is new work. */
export function refuseNewWork(
  route: Pick<AnyRoute, 'newWork'>,
  body: JsonObject,
  controlState: ControlStateMirror,
): void {
  if (route.newWork === false) return;
  const window = controlState.maintenance();
  if (!window.active || (route.newWork === 'unless-inactive-only' && onlySetsInactive(body))) return;
  throw new AppError('platform_maintenance', window.message === '' ? standing : window.message, {
    fields: { retry_after_seconds: window.retryAfterSeconds },
  });
}

/** Whether a request only sets an agent to inactive, which is allowed during maintenance (docs/reference/agents.md#status). */
function onlySetsInactive(body: JsonObject): boolean {
  return body.status === 'inactive' && Object.keys(body).every((name) => name === 'status' || identity.has(name));
}

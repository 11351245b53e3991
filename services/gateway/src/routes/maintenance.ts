import type { AnyRoute, JsonObject } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { ControlStateMirror } from '@parley/runtime';

const standing = 'maintenance is under way: no new work is accepted';

/** Fields that, next to a status, only address the record (docs/reference/agents.md#update). */
const identity: ReadonlySet<string> = new Set(['organization_id', 'project_id']);

/** 503 platform_maintenance for new work inside a window (docs/reference/maintenance.md), as the route declares it. */
export function refuseNewWork(route: AnyRoute, body: JsonObject, controlState: ControlStateMirror): void {
  if (route.newWork === false) return;
  const window = controlState.maintenance();
  if (!window.active || (route.newWork === 'unless-inactive-only' && onlySetsInactive(body))) return;
  throw new AppError('platform_maintenance', window.message === '' ? standing : window.message, {
    fields: { retry_after_seconds: window.retryAfterSeconds },
  });
}

/** Setting an agent to inactive with no other change still works in a window (docs/reference/agents.md#status). */
function onlySetsInactive(body: JsonObject): boolean {
  return body.status === 'inactive' && Object.keys(body).every((name) => name === 'status' || identity.has(name));
}

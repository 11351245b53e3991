import { badRequest } from '@parley/errors';
import type { ControlState } from '@parley/proto/auth';
import type { Database } from '@parley/runtime';
import { readControlChanges, type ChangeKind, type ControlChange } from './control.cross-tenant.sql';

/** Maximum number of changes in one response, about 200 KB. A process that is further behind polls again immediately. */
export const changesPerAnswer = 5_000;

/** The state for every replica (docs/reference/keys.md): the changes after `sinceEpoch`, or the complete state if those are not stored. */
export async function getControlState(
  db: Database,
  sinceEpoch: string,
  limit: number = changesPerAnswer,
): Promise<Partial<ControlState>> {
  if (sinceEpoch.startsWith('-')) throw badRequest('since_epoch: must be 0 or more');
  const read = await readControlChanges(db, sinceEpoch, limit);
  const { complete, nowMs, maintenance, changes } = read;
  const last = changes.at(-1)?.epoch ?? read.epoch;
  const more = changes.length === limit && last !== read.epoch;
  const changed = subjectsOf(changes);
  return {
    epoch: more ? last : read.epoch,
    nowMs,
    maintenance,
    complete,
    more,
    revokedKeyIds: changed.key_revoked,
    suspendedOrganizationIds: complete ? read.suspendedOrganizationIds : changed.organization_suspended,
    suspendedAgentIds: complete ? read.suspendedAgentIds : changed.agent_suspended,
    reinstatedOrganizationIds: changed.organization_reinstated,
    reinstatedAgentIds: changed.agent_reinstated,
  };
}

/** The latest state of each subject. */
function subjectsOf(changes: readonly ControlChange[]): Record<ChangeKind, string[]> {
  const last = new Map(changes.map(({ subject, kind }) => [subject, kind]));
  const subjects: Record<ChangeKind, string[]> = {
    key_revoked: [],
    organization_suspended: [],
    organization_reinstated: [],
    agent_suspended: [],
    agent_reinstated: [],
  };
  for (const [subject, kind] of last) subjects[kind].push(subject);
  return subjects;
}

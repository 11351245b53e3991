import { badRequest } from '@parley/errors';
import type { ControlState } from '@parley/proto/auth';
import type { Database } from '@parley/runtime';
import { readControlChanges, type ChangeKind, type ControlChange } from './control.cross-tenant.sql';

/** Changes of one answer, about 200 KB; who is further behind asks again at once. */
export const changesPerAnswer = 5_000;

/** What every replica obeys (docs/reference/keys.md): what changed after `sinceEpoch`, or the whole state where that is not kept. */
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

/** The subjects by what became of them last. */
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

import type { Database } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { bumpEpoch, noteAgentSuspension } from '../db/control';
import type { AuditRecord } from '../domain/records';

const suspensions: ReadonlyMap<string, boolean> = new Map([
  ['agent.suspended', true],
  ['agent.reinstated', false],
]);

/**
 * Keeps an act that another service published; repeating it changes nothing. An operator's suspension of an agent becomes
 * part of the control state.
 */
export async function recordAuditEvent(db: Database, act: AuditRecord): Promise<void> {
  const suspended = suspensions.get(act.action);
  await db.transaction(async (tx) => {
    await appendAudit(tx, act, act.createdAt);
    if (suspended === undefined) return;
    const changed = await noteAgentSuspension(tx, act.organizationId, act.subject, suspended, act.createdAt);
    if (changed) await bumpEpoch(tx);
  });
}

import type { Database } from '@parley/runtime';
import { insertAudits, type AuditRecord } from '../audit';
import { bumpEpoch, noteAgentSuspension } from './control.cross-tenant.sql';

const suspensions: ReadonlyMap<string, boolean> = new Map([
  ['agent.suspended', true],
  ['agent.reinstated', false],
]);

/** Stores audit events of other services, all or none; idempotent. An operator's suspension of an agent becomes part of the control state. */
export async function recordAuditEvents(db: Database, acts: readonly AuditRecord[]): Promise<void> {
  const decided = acts.filter(({ action }) => suspensions.has(action)).sort(bySubject);
  // A single statement is atomic without an explicit transaction.
  if (decided.length === 0) return insertAudits(db, acts);
  await db.transaction(async (tx) => {
    await insertAudits(tx, acts);
    const changed: AuditRecord[] = [];
    for (const act of decided) {
      const suspended = isSuspension(act);
      const isNews = await noteAgentSuspension(tx, act.organizationId, act.subject, suspended, act.createdAt);
      if (isNews) changed.push(act);
    }
    // The epoch row is locked last and the agents in a fixed order, so that two replicas cannot deadlock.
    for (const act of changed) {
      await bumpEpoch(tx, { kind: isSuspension(act) ? 'agent_suspended' : 'agent_reinstated', subject: act.subject });
    }
  });
}

const isSuspension = ({ action }: AuditRecord): boolean => suspensions.get(action) === true;

/** A stable sort: the actions on one agent keep their order. */
const bySubject = (one: AuditRecord, other: AuditRecord): number =>
  one.subject < other.subject ? -1 : one.subject > other.subject ? 1 : 0;

import type { AuditActor } from '@parley/service';
import { appendAudit } from '../audit';
import { bumpEpoch, writeMaintenance, type TimedMaintenance, readMaintenance } from './control.cross-tenant.sql';
import type { MaintenanceRecord } from './maintenance.rules';
import type { Database } from '@parley/runtime';

/** Replaces the maintenance window (docs/reference/maintenance.md). Every replica applies it within a second. */
export async function setMaintenance(
  db: Database,
  actor: AuditActor,
  window: MaintenanceRecord,
): Promise<TimedMaintenance> {
  return db.transaction(async (tx) => {
    const stored = await writeMaintenance(tx, window);
    const act = {
      organizationId: '',
      action: 'maintenance.set',
      subject: 'maintenance',
      detail: { ...stored.maintenance },
    };
    await appendAudit(tx, act, actor);
    await bumpEpoch(tx);
    return stored;
  });
}

/** Returns the stored maintenance window, active or not, and the current time of the database. */
export const getMaintenance = (db: Database): Promise<TimedMaintenance> => readMaintenance(db);

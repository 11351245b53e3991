import { newId, type Caller, type Database } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { bumpEpoch, writeMaintenance } from '../db/control';
import type { MaintenanceRecord } from '../domain/records';

/** Replaces the maintenance window (section 7.3); every replica obeys within a second. */
export async function setMaintenance(
  db: Database,
  caller: Caller,
  window: MaintenanceRecord,
): Promise<MaintenanceRecord> {
  return db.transaction(async (tx) => {
    const stored = await writeMaintenance(tx, window);
    await appendAudit(tx, {
      auditId: newId('aud'),
      organizationId: '',
      actorKeyId: caller.keyId,
      action: 'maintenance.set',
      subject: 'maintenance',
      detail: { ...stored },
    });
    await bumpEpoch(tx);
    return stored;
  });
}

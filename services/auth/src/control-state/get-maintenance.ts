import type { Database } from '@parley/runtime';
import { readMaintenance } from './control.cross-tenant.sql';
import type { MaintenanceRecord } from './maintenance.rules';

/** The maintenance window as it was set, whether it is open or not. */
export const getMaintenance = (db: Database): Promise<MaintenanceRecord> => readMaintenance(db);

import type { Database } from '@parley/runtime';
import { readMaintenance } from '../db/control';
import type { MaintenanceRecord } from '../domain/records';

/** The maintenance window as it was set, whether it is open or not. */
export const getMaintenance = (db: Database): Promise<MaintenanceRecord> => readMaintenance(db);

import type { Database } from '@parley/runtime';
import { readMaintenance, type TimedMaintenance } from './control.cross-tenant.sql';

/** The maintenance window as it was set, whether it is open or not, and the time. */
export const getMaintenance = (db: Database): Promise<TimedMaintenance> => readMaintenance(db);

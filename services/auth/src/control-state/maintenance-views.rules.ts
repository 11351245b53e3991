import type { MaintenanceRecord as MaintenanceView } from '@parley/contract';
import { orNull } from '../or-null.rules';
import { isOpen, type MaintenanceRecord } from './maintenance.rules';

/** As it is read: `active` is its state at that moment. */
export const maintenanceView = (maintenance: MaintenanceRecord, now: Date): MaintenanceView => ({
  active: isOpen(maintenance, now),
  retry_after_seconds: maintenance.retryAfterSeconds,
  starts_at: orNull(maintenance.startsAt),
  ends_at: orNull(maintenance.endsAt),
  message: orNull(maintenance.message),
});

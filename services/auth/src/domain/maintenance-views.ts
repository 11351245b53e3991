import type { MaintenanceRecord as MaintenanceView } from '@parley/contract';
import { orNull } from './or-null';
import type { MaintenanceRecord } from './records';

export const maintenanceView = (maintenance: MaintenanceRecord): MaintenanceView => ({
  active: maintenance.active,
  retry_after_seconds: maintenance.retryAfterSeconds,
  starts_at: orNull(maintenance.startsAt),
  ends_at: orNull(maintenance.endsAt),
  message: orNull(maintenance.message),
});

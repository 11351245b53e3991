import type { MaintenanceRecord } from '@parley/contract';
import type { Maintenance } from '@parley/proto/auth';
import { orNull } from './absent';

export const maintenanceRecord = (maintenance: Maintenance): MaintenanceRecord => ({
  active: maintenance.active,
  retry_after_seconds: maintenance.retryAfterSeconds,
  starts_at: orNull(maintenance.startsAt),
  ends_at: orNull(maintenance.endsAt),
  message: orNull(maintenance.message),
});

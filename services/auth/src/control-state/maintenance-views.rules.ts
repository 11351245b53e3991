import type { MaintenanceRecord as MaintenanceView } from '@parley/contract';
import { orNull } from '../or-null.rules';
import type { MaintenanceRecord } from './maintenance.rules';

export const maintenanceView = (maintenance: MaintenanceRecord): MaintenanceView => ({
  active: maintenance.active,
  retry_after_seconds: maintenance.retryAfterSeconds,
  starts_at: orNull(maintenance.startsAt),
  ends_at: orNull(maintenance.endsAt),
  message: orNull(maintenance.message),
});

import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { maintenanceRecord } from '../../render/maintenance';
import { route } from '../../route';

/** The documented default of retry_after_seconds. */
const standardRetrySeconds = 60;

export default route(routes.setMaintenance, async ({ body, clients, context }) => {
  const fields = body.fields();
  const window = {
    active: fields.active,
    retryAfterSeconds: fields.retry_after_seconds ?? standardRetrySeconds,
    startsAt: fields.starts_at ?? '',
    endsAt: fields.ends_at ?? '',
    message: fields.message ?? '',
  };
  return jsonAnswer(maintenanceRecord(await clients.auth.setMaintenance(window, context)));
});

import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { maintenanceRecord } from '../../render/maintenance';
import { route } from '../../route';

export default route(routes.getMaintenance, async ({ clients, context }) =>
  jsonAnswer(maintenanceRecord(await clients.auth.getMaintenance({}, context))),
);

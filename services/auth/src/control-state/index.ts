/** What every replica obeys: revocations, suspensions and the maintenance window, under one epoch. */
export { auditConsumer } from './audit-consumer';
export { changePruner } from './change-pruner';
export { bumpEpoch } from './control.cross-tenant.sql';
export { getControlState } from './get-control-state';
export { getMaintenance } from './get-maintenance';
export { maintenanceView } from './maintenance-views.rules';
export { maintenanceOf } from './maintenance.rules';
export { setMaintenance } from './set-maintenance';

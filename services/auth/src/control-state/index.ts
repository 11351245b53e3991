/** State that every replica applies: revocations, suspensions and the maintenance window, under one epoch. */
export { auditConsumer, changePruner } from './audit-consumer';
export { bumpEpoch } from './control.cross-tenant.sql';
export { getControlState } from './get-control-state';
export { getMaintenance, setMaintenance } from './set-maintenance';
export { maintenanceView, maintenanceOf } from './maintenance.rules';

/** Limits, billing and suspension of organizations. */
export { createBillingMirror } from './billing-mirror';
export { type ReadControls, getControls, setControls } from './controls';
export { lockCursor, moveCursor } from './cursors.cross-tenant.sql';
export { ensureOrganizationState, loadOrCreateState } from './ensure-organization-state';
export type { OrganizationState } from './organization-state.rules';
export {
  type StateRow,
  lockQueueAndState,
  lockState,
  markReserved,
  stateColumns,
  stateOf,
  takeRoom,
} from './organization-state.sql';
export { refuseOtherProject, refuseSuspended } from './refuse-suspended';

/** Calls over carriers' lines: dialing, ringing, adoption by a worker, and end. */
export { insertLine, makeLineDue } from './carrier-lines.sql';
export { findFollowed } from './find-line';
export { grantHandOver } from './grant-hand-over';
export { followLine } from './follow-line';
export { createLineDialler, createLineTender } from './line-dialler';
export { noteSlots } from './line-slots.cross-tenant.sql';
export { joinLeg, legOf, reportLeg } from './follow-transfer';
export { followRefer } from './refer';
export { sendTransfer, transferJob } from './send-transfer';
export { createTransferTender } from './transfer-tender';
export { reportLine } from './report-line';

/** Lines of carriers: dialing, following and transferring them, and the control of calls in progress. */

// Calls over carriers' lines: dialing, ringing, adoption by a worker, and end.
export { followLine } from './lines/follow-line';
export { joinLeg, legOf, reportLeg } from './lines/follow-transfer';
export { grantHandOver, noteWorkerSlots } from './lines/grant-hand-over';
export { findFollowed, openIncomingLine } from './lines/held-line';
export { createLineDialer, createLineTender } from './lines/line-dialer';
export { followRefer } from './lines/refer';
export { reportLine } from './lines/report-line';
export { sendTransfer, transferJob } from './lines/send-transfer';
export { tendLine, tendSipLines } from './lines/tend-line';
export { createTransferTender } from './lines/transfer-tender';

// Control of calls in progress: commands for their workers, and signals between the replicas of this service.
export { ask, sendCommand, tellHeld } from './live-control/send-command';
export { NatsSignals } from './live-control/signals';
export { commandsFor, createCommandPruner, recordOutcome } from './live-control/take-commands';

// Following calls in progress: turns as they happen, and listening in.
export { checkLease, listenToCall } from './live/listen-to-call';
export { watchCall } from './live/watch-call';

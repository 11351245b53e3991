import { isAccountCarrier } from '@parley/contract';
import { poller, type Clock, type Logger, type Poller } from '@parley/runtime';
import { type Network, accessOfLine } from '../../network';
import type { Telephony } from '../../telephony';
import { dropLegs, idOfLeg } from './drop-legs';
import { dueTransfers } from './due-transfers.cross-tenant.sql';
import { carrierLinesOf, reportLeg, takeToRoom } from './follow-transfer';
import { isBeingMoved } from './follow-line';
import { lockHeldLine } from './held-line';
import { noteAsked } from './refer';
import { transfersOfCall, unjoin, type Transfer } from './transfers.sql';

type Needs = Pick<Telephony, 'db' | 'vault' | 'signals' | 'onCommit'> & Network;

const batch = 50;
/** How long after the other party has answered a line is moved again if its carrier refuses because of its load, or cannot be reached. */
const retriedSeconds = 60;

export interface TransferTenderOptions {
  readonly telephony: Needs;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Handles transfers without recent status updates, and makes carriers move lines that their worker did not release. */
export function createTransferTender({ telephony, clock, log }: TransferTenderOptions): Poller {
  const run = async (): Promise<void> => {
    for (const transfer of await dueTransfers(telephony.db, batch)) {
      const asked = transfer.outcome === 'ringing' && !(transfer.byRefer && transfer.joinedAt === null);
      const { organizationId, callId } = transfer;
      const handled = transfer.abandoned ? dropLegs(telephony, organizationId, callId) : undefined;
      await (handled ?? (asked ? ask(telephony, transfer) : move(telephony, transfer))).catch((error: unknown) =>
        log.error({ err: error, call_id: transfer.callId }, 'a transfer could not be checked'),
      );
    }
  };
  return poller({ name: 'transfer-tender', everyMs: 1_000, run, log, clock });
}

/** Queries the carrier about a leg without status updates. A leg without a carrier id has failed. */
async function ask(telephony: Needs, transfer: Transfer): Promise<void> {
  const { provider, callId, organizationId, transferId } = transfer;
  const carrierCallId = idOfLeg(transfer);
  const lines = carrierLinesOf(telephony, provider);
  const account = (await accessOfLine(telephony, transfer))?.account;
  const leg = { provider, organizationId, callId, transferId, carrierCallId: carrierCallId ?? '' };
  const failed = { gatewayCallId: leg.carrierCallId, end: 'failed', answered: false, sipCode: '' } as const;
  if (carrierCallId === null || lines === undefined || account === undefined) return reportLeg(telephony, leg, failed);
  const state = await lines.fetchState(carrierCallId, account);
  if (state.outcome === 'none') return reportLeg(telephony, leg, failed);
  if (state.outcome === 'unknown') return;
  if (state.report.end !== undefined) return reportLeg(telephony, leg, state.report);
  // The leg has been ringing, or playing its announcement, for longer than the maximum.
  if (await lines.hangUp(carrierCallId, account)) return reportLeg(telephony, leg, failed);
}

/**
 * The worker did not release the line: the carrier is instructed to end its stream. Only one replica does so, and only if the line has not joined since the
 * transfer was read: a line that is taken out of its room ends both calls, even if it is taken to the same room.
 */
async function move(telephony: Needs, transfer: Transfer): Promise<void> {
  const { organizationId, callId, provider, transferId } = transfer;
  const moved = await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, organizationId, callId);
    if (held === undefined || held.line.state === 'closed' || held.line.carrierCallId === null) return undefined;
    const transfers = await transfersOfCall(tx, organizationId, callId);
    if (transfers.find((one) => one.transferId === transferId)?.joinedAt !== null) return undefined;
    const room = (await takeToRoom(tx, held))?.room ?? (await noteAsked(tx, held));
    return room === undefined ? undefined : { room, line: held.line, carrierCallId: held.line.carrierCallId };
  });
  if (moved === undefined) return;
  telephony.onCommit(false);
  const account = (await accessOfLine(telephony, moved.line))?.account;
  const lines = carrierLinesOf(telephony, provider);
  if (account === undefined || lines === undefined) return;
  const markup = isAccountCarrier(provider) ? telephony.carriers[provider].protocol.joinRoom(moved.room) : '';
  const outcome = await lines.run(moved.carrierCallId, markup, account);
  if (outcome === 'not_taken') await moveAgain(telephony, transfer);
}

/**
 * The carrier certainly did not move the line, so it is moved at the next look. Not if the line may have joined by itself meanwhile: a line that its worker
 * releases is held only as long as it is being moved.
 */
async function moveAgain(
  telephony: Pick<Telephony, 'db'>,
  { organizationId, callId, transferId, outcomeAt }: Transfer,
) {
  await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, organizationId, callId);
    const now = (await transfersOfCall(tx, organizationId, callId)).find((one) => one.transferId === transferId);
    if (held === undefined || now === undefined || !isBeingMoved(held, now)) return;
    if (held.now.getTime() - outcomeAt.getTime() > retriedSeconds * 1_000) return;
    await unjoin(tx, organizationId, transferId);
  });
}

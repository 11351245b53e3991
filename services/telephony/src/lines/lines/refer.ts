import { isAccountCarrier } from '@parley/contract';
import { newId, type Queryable } from '@parley/runtime';
import { type LineVerbs, trunkOfLine, type Network } from '../../network';
import { showTransfers } from '../../books';
import type { Telephony } from '../../telephony';
import { placeLeg, findRefusal } from './begin-transfer';
import { change } from './follow-transfer';
import { lockHeldLine, type FollowedLine, type HeldLine } from './held-line';
import { outcomeOfRefer, refersTo } from './transfer-outcome.rules';
import { insertTransfer, transfersOfCall, type NewTransfer, type Transfer } from './transfers.sql';

/** The transfer whose target the peer was requested to call; undefined: there is none. */
async function underWay(tx: Queryable, { line }: HeldLine): Promise<Transfer | undefined> {
  const transfers = await transfersOfCall(tx, line.organizationId, line.callId);
  return transfers.find(({ byRefer, outcome }) => byRefer && outcome === 'ringing');
}

/**
 * The carrier's next instructions for a line that its worker released for a transfer by REFER: the peer is requested to call the other party. If the peer
 * refused that before, the line waits for a leg. Repeated requests get the same instructions. Undefined: no such transfer is in progress.
 */
export async function takeToPeer<T>(
  tx: Queryable,
  held: HeldLine,
  protocol: LineVerbs<T>,
  next: string,
): Promise<T | undefined> {
  const { organizationId, accountSid, callId } = held.line;
  const transfer = await underWay(tx, held);
  if (transfer !== undefined) {
    const trunk = await trunkOfLine(tx, organizationId, accountSid);
    const to = trunk && refersTo(transfer.to, trunk);
    if (to === undefined || protocol.refer === undefined) return undefined;
    await change(tx, { held, transfer }, { joined: true });
    return protocol.refer(to);
  }
  const transfers = await transfersOfCall(tx, organizationId, callId);
  const waits = transfers.some(({ byRefer }) => byRefer) && transfers.some(({ outcome }) => outcome === 'ringing');
  return waits ? protocol.holdCall(1, next) : undefined;
}

/**
 * Records that the line is taken from its worker, so that the peer gets the REFER when the carrier requests instructions. Undefined: there is no such transfer.
 */
export async function noteAsked(tx: Queryable, held: HeldLine): Promise<string | undefined> {
  const transfer = await underWay(tx, held);
  if (transfer !== undefined) await change(tx, { held, transfer }, { joined: true });
  return transfer?.transferId;
}

/**
 * Processes the peer's response to the REFER. If the peer does not support it, a leg is placed and the line waits for that leg.
 * @param status of Asterisk's Transfer
 * @param code the peer's response code, or the one in its NOTIFY
 */
export async function followRefer<T>(
  telephony: Pick<Telephony, 'db' | 'vault' | 'signals' | 'settings' | 'onCommit'> & Network,
  { organizationId, callId, carrierCallId }: FollowedLine,
  { status, code }: { readonly status: string; readonly code: string },
  protocol: LineVerbs<T>,
): Promise<T> {
  const bridged = await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, organizationId, callId);
    if (held === undefined || held.line.carrierCallId !== carrierCallId) return undefined;
    const transfer = await underWay(tx, held);
    if (transfer === undefined) return undefined;
    const outcome = outcomeOfRefer(status, code);
    await change(tx, { held, transfer }, { outcome: outcome === 'refused' ? 'failed' : outcome, left: true });
    if (outcome !== 'refused' || held.line.state === 'closed') return undefined;
    // The other party may have opted out since the peer was asked.
    if ((await findRefusal(telephony, tx, held, transfer.to)) !== undefined) return undefined;
    const leg: NewTransfer = {
      ...transfer,
      transferId: newId('trf'),
      key: `${transfer.transferId}/leg`,
      byRefer: false,
    };
    await insertTransfer(tx, organizationId, leg);
    await showTransfers(tx, organizationId, callId);
    return { leg, held };
  });
  if (bridged !== undefined) {
    await placeLeg(telephony, bridged.leg, bridged.held);
    return protocol.holdCall(1, '');
  }
  return (await isAwaited(telephony, organizationId, callId)) ? protocol.holdCall(1, '') : protocol.endCall();
}

/** Whether the line, which requests instructions again, waits for a leg that was placed. */
async function isAwaited({ db }: Pick<Telephony, 'db'>, organizationId: string, callId: string): Promise<boolean> {
  const transfers = await transfersOfCall(db, organizationId, callId);
  return transfers.some(({ byRefer, outcome, leftAt }) => !byRefer && outcome !== 'failed' && leftAt === null);
}

/** Records that the line closed before the peer reported an outcome, so it is unknown which side ended it. */
export async function noteGone(tx: Queryable, held: HeldLine): Promise<void> {
  if (isAccountCarrier(held.line.provider)) return;
  const transfer = await underWay(tx, held);
  if (transfer !== undefined) await change(tx, { held, transfer }, { outcome: 'canceled', left: true });
}

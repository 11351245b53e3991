import { isAccountCarrier } from '@parley/contract';
import { newId, type Queryable } from '@parley/runtime';
import type { LineVerbs } from '../carriers';
import { findSipTrunk } from '../sip-trunks';
import type { Telephony } from '../telephony';
import { placeLeg } from './begin-transfer';
import { change } from './follow-transfer';
import type { FollowedLine } from './follow-line';
import { lockHeldLine, type HeldLine } from './held-line';
import { outcomeOfRefer, refersTo } from './transfer-outcome.rules';
import { insertTransfer, showTransfers, transfersOfCall, type NewTransfer, type Transfer } from './transfers.sql';

/** The transfer whose target the peer was asked to call; undefined: there is none. */
async function underWay(tx: Queryable, { line }: HeldLine): Promise<Transfer | undefined> {
  const transfers = await transfersOfCall(tx, line.organizationId, line.callId);
  return transfers.find(({ byRefer, outcome }) => byRefer && outcome === 'ringing');
}

/**
 * What follows on a line that its worker let go for a transfer without a leg of ours: the peer is asked to call the other party. Where it refused before, the line
 * waits for a leg. Asked again it is the same. Undefined: no such transfer is under way.
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
    const trunk = await findSipTrunk(tx, organizationId, accountSid);
    const to = trunk && refersTo(transfer.to, trunk);
    if (to === undefined || protocol.refer === undefined) return undefined;
    await change(tx, { held, transfer }, { joined: true });
    return protocol.refer(to);
  }
  const transfers = await transfersOfCall(tx, organizationId, callId);
  const waits = transfers.some(({ byRefer }) => byRefer) && transfers.some(({ outcome }) => outcome === 'ringing');
  return waits ? protocol.holdCall(1, next) : undefined;
}

/** Takes the line from its worker and moves it to the peer once the carrier requests instructions. Undefined: there is no such transfer. */
export async function noteAsked(tx: Queryable, held: HeldLine): Promise<string | undefined> {
  const transfer = await underWay(tx, held);
  if (transfer !== undefined) await change(tx, { held, transfer }, { joined: true });
  return transfer?.transferId;
}

/**
 * Takes what the peer made of it. One that refuses to connect calls so leaves the line to us: a leg is placed, and the line waits for it.
 * @param status of Asterisk's Transfer @param code that the peer answered or reported
 */
export async function followRefer<T>(
  telephony: Telephony,
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

/** Requested again after a leg was placed. */
async function isAwaited({ db }: Telephony, organizationId: string, callId: string): Promise<boolean> {
  const transfers = await transfersOfCall(db, organizationId, callId);
  return transfers.some(({ byRefer, outcome, leftAt }) => !byRefer && outcome !== 'failed' && leftAt === null);
}

/** The line closed before the peer reported an outcome: which side ended it is unknown. */
export async function noteGone(tx: Queryable, held: HeldLine): Promise<void> {
  if (isAccountCarrier(held.line.provider)) return;
  const transfer = await underWay(tx, held);
  if (transfer !== undefined) await change(tx, { held, transfer }, { outcome: 'canceled', left: true });
}

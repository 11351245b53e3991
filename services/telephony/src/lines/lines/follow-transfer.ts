import { isAccountCarrier } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import {
  type CallStatusReport,
  type CarrierLines,
  type LineVerbs,
  transferOf as transferIn,
  type CarrierWebhook,
  type Network,
} from '../../network';
import { giveCommand, wakeWorkerOf } from '../live-control/send-command';
import { showTransfers } from '../../books';
import type { Telephony } from '../../telephony';
import { failLine, lockHeldLine, type FollowedLine, type HeldLine } from './held-line';
import { outcomeOfLeg } from './transfer-outcome.rules';
import { transfersOfCall, writeTransfer, type NewTransfer, type Transfer, type TransferChange } from './transfers.sql';

type Needs = Pick<Telephony, 'db' | 'signals' | 'onCommit'> & Network;

/** The leg of a transfer to which a signed webhook refers. */
export interface FollowedLeg extends FollowedLine {
  readonly transferId: string;
}

/** @param line the line of the call, from our reference in the URL, which the signature covers */
export function legOf(webhook: CarrierWebhook, line: FollowedLine): FollowedLeg | undefined {
  const transferId = transferIn(webhook.url);
  return transferId === '' ? undefined : { ...line, transferId };
}

interface HeldTransfer {
  readonly held: HeldLine;
  readonly transfer: Transfer;
}

/** Undefined if the leg does not belong to the call, or is not the one that was placed. */
async function lockTransfer(
  tx: Queryable,
  { organizationId, callId, transferId, carrierCallId }: FollowedLeg,
): Promise<HeldTransfer | undefined> {
  const held = await lockHeldLine(tx, organizationId, callId);
  const transfers = held && (await transfersOfCall(tx, organizationId, callId));
  const transfer = transfers?.find((one) => one.transferId === transferId);
  if (held === undefined || transfer === undefined) return undefined;
  const known = transfer.carrierCallId ?? carrierCallId;
  return known === carrierCallId ? { held, transfer } : undefined;
}

export async function change(tx: Queryable, { transfer }: HeldTransfer, to: Partial<TransferChange>): Promise<void> {
  const { organizationId, transferId, callId, outcome, carrierCallId } = transfer;
  await writeTransfer(tx, organizationId, transferId, { outcome, carrierCallId, joined: false, left: false, ...to });
  if (to.outcome !== undefined && to.outcome !== outcome) await showTransfers(tx, organizationId, callId);
}

/**
 * The other party has answered and has heard the announcement, if there is one. It waits in the transfer's room until the worker releases the line of the call,
 * which then joins the room. If the call is over by now, the leg is ended.
 * @returns the carrier's instructions for the leg; repeated requests get the same
 */
export async function joinLeg<T>(telephony: Needs, leg: FollowedLeg, protocol: LineVerbs<T>): Promise<T> {
  const answer = await telephony.db.transaction(async (tx) => {
    const found = await lockTransfer(tx, leg);
    if (found === undefined) return protocol.endCall();
    const { transfer, held } = found;
    const { carrierCallId } = leg;
    const isOver = held.call.status !== 'answered' && !(await isLetGo(tx, held));
    if (transfer.outcome === 'connected' && transfer.leftAt === null) return protocol.joinRoom(transfer.transferId);
    if (transfer.outcome !== 'ringing') return protocol.endCall();
    if (isOver || held.line.state === 'closed') {
      await change(tx, found, { outcome: 'canceled', carrierCallId, left: true });
      return protocol.endCall();
    }
    await change(tx, found, { outcome: 'connected', carrierCallId });
    // A tool that requested the transfer already waits for its outcome; only an operator's transfer needs a command to the worker.
    if (transfer.key === transfer.transferId) await giveTransferred(tx, found);
    return protocol.joinRoom(transfer.transferId);
  });
  telephony.signals.send('transfer', leg.callId);
  await wakeWorkerOf(telephony, leg.organizationId, leg.callId);
  return answer;
}

/** Commands the worker to release the line and to report the call as transferred. */
export const giveTransferred = (
  tx: Queryable,
  { held, transfer }: { readonly held: HeldLine; readonly transfer: NewTransfer },
): Promise<unknown> =>
  giveCommand(tx, held.line.organizationId, {
    callId: transfer.callId,
    jobId: held.job.jobId,
    type: 'transfer',
    fields: { transfer_id: transfer.transferId },
  });

/**
 * Informs the worker that an operator's transfer is in progress, so that it does not end the call because the caller is silent meanwhile. 0 seconds: the
 * transfer has ended, and the caller stays with the agent. A tool that requests a transfer gets its outcome.
 */
export async function giveTransferring(
  tx: Queryable,
  { held, transfer }: { readonly held: HeldLine; readonly transfer: NewTransfer },
  seconds: number,
): Promise<void> {
  const { callId, transferId, key } = transfer;
  if (key !== transferId || held.call.status !== 'answered') return;
  const { jobId } = held.job;
  const fields = { transfer_id: transferId, seconds };
  await giveCommand(tx, held.line.organizationId, { callId, jobId, type: 'transferring', fields });
}

/** Processes status webhooks of a leg, which may arrive in any order and repeatedly. */
export async function reportLeg(telephony: Needs, leg: FollowedLeg, report: CallStatusReport): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const found = await lockTransfer(tx, leg);
    if (found === undefined) return;
    const { carrierCallId } = leg;
    if (report.end === undefined) return change(tx, found, { carrierCallId });
    const { outcome } = found.transfer;
    if (outcome === 'ringing') await giveTransferring(tx, found, 0);
    await change(tx, found, {
      carrierCallId,
      left: true,
      outcome: outcome === 'ringing' ? outcomeOfLeg(report) : outcome,
    });
  });
  telephony.signals.send('transfer', leg.callId);
}

interface Room {
  readonly room: string;
  /** When the line was first taken there; null: this is the first time. */
  readonly joinedAt: Date | null;
}

/**
 * Returns the room of the other party, which the line of a released call is to join. If the worker was lost, the call ends. Undefined: the call was not
 * transferred, or the other party has left.
 */
export async function takeToRoom(tx: Queryable, held: HeldLine): Promise<Room | undefined> {
  const { organizationId, callId } = held.line;
  const transfers = await transfersOfCall(tx, organizationId, callId);
  const transfer = transfers.find(({ outcome, leftAt }) => outcome === 'connected' && leftAt === null);
  if (transfer === undefined) return undefined;
  await change(tx, { held, transfer }, { joined: true });
  await endWithoutWorker(tx, held);
  return { room: transfer.transferId, joinedAt: transfer.joinedAt };
}

/** Whether the line of a call is connected to the other party, or will be now that its worker released it. It must not be hung up then. */
export async function talksElsewhere(tx: Queryable, { line }: HeldLine): Promise<boolean> {
  const transfers = await transfersOfCall(tx, line.organizationId, line.callId);
  const letGo = transfers.some(({ byRefer }) => byRefer);
  return transfers.some(
    ({ outcome, leftAt }) => leftAt === null && (outcome === 'connected' || (letGo && outcome === 'ringing')),
  );
}

/**
 * Ends a call as transferred whose worker was lost and whose other party has answered. Otherwise it would be in progress, and charged, until its line is
 * checked again.
 */
export async function endWithoutWorker(tx: Queryable, held: HeldLine): Promise<void> {
  const transfers = await transfersOfCall(tx, held.line.organizationId, held.line.callId);
  if (transfers.some(({ outcome }) => outcome === 'connected'))
    await failLine(tx, held, { endedReason: 'transferred' });
}

/** Whether the peer was already requested to call the other party. In that case the call's worker has released the line, so no agent is with the caller. */
const isLetGo = async (tx: Queryable, { line }: HeldLine): Promise<boolean> =>
  (await transfersOfCall(tx, line.organizationId, line.callId)).some(({ byRefer }) => byRefer);

/** The carrier's line API; undefined for lines that cannot be transferred. */
export const carrierLinesOf = ({ carriers, sip }: Needs, provider: string): CarrierLines | undefined =>
  provider === 'sip_trunk' ? sip.lines : isAccountCarrier(provider) ? carriers[provider].lines : undefined;

import { isAccountCarrier } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { type CallStatusReport, type CarrierLines, type LineVerbs, transferOf as transferIn } from '../carriers';
import type { CarrierWebhook } from '../numbers';
import { giveCommand, wakeWorkerOf } from '../live-control';
import type { Telephony } from '../telephony';
import type { FollowedLine } from './follow-line';
import { lockHeldLine, type HeldLine } from './held-line';
import { outcomeOfLeg } from './transfer-outcome.rules';
import {
  showTransfers,
  transfersOfCall,
  writeTransfer,
  type NewTransfer,
  type Transfer,
  type TransferChange,
} from './transfers.sql';

/** The leg of a transfer that a signed webhook is about. */
export interface FollowedLeg extends FollowedLine {
  readonly transferId: string;
}

/** @param line named by our reference in the URL, which the signature covers */
export function legOf(webhook: CarrierWebhook, line: FollowedLine): FollowedLeg | undefined {
  const transferId = transferIn(webhook.url);
  return transferId === '' ? undefined : { ...line, transferId };
}

interface HeldTransfer {
  readonly held: HeldLine;
  readonly transfer: Transfer;
}

/** Undefined for a leg that does not belong to the call, or is not the one that was placed. */
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
 * The other party is there, and has heard the announcement where there is one: it waits in a room of its own for the line of the call, which the worker lets go. A call that
 * is over meanwhile has no party to talk to.
 * @returns what the carrier is to do with the leg; the same again where it asks again
 */
export async function joinLeg<T>(telephony: Telephony, leg: FollowedLeg, protocol: LineVerbs<T>): Promise<T> {
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
    // A transfer that a tool requested waits for this by itself.
    if (transfer.key === transfer.transferId) await giveTransferred(tx, found);
    return protocol.joinRoom(transfer.transferId);
  });
  telephony.signals.send('transfer', leg.callId);
  await wakeWorkerOf(telephony, leg.organizationId, leg.callId);
  return answer;
}

/** The worker releases the line, and reports the call as transferred. */
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

/** Processes status webhooks of a leg, in any order and with repetitions. */
export async function reportLeg(telephony: Telephony, leg: FollowedLeg, report: CallStatusReport): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const found = await lockTransfer(tx, leg);
    if (found === undefined) return;
    const { carrierCallId } = leg;
    if (report.end === undefined) return change(tx, found, { carrierCallId });
    const { outcome } = found.transfer;
    await change(tx, found, {
      carrierCallId,
      left: true,
      outcome: outcome === 'ringing' ? outcomeOfLeg(report) : outcome,
    });
  });
  telephony.signals.send('transfer', leg.callId);
}

/** For a call that was handed over: sends its line to the other party's room, once. Undefined: it was not handed over, or the other party has left. */
export async function takeToRoom(tx: Queryable, held: HeldLine): Promise<string | undefined> {
  const { organizationId, callId } = held.line;
  const transfers = await transfersOfCall(tx, organizationId, callId);
  const transfer = transfers.find(({ outcome, leftAt }) => outcome === 'connected' && leftAt === null);
  if (transfer === undefined) return undefined;
  await change(tx, { held, transfer }, { joined: true });
  return transfer.transferId;
}

/** Whether the line of a call is connected to the other party, or is about to be without its worker, so that it must not be hung up. */
export async function talksElsewhere(tx: Queryable, { line }: HeldLine): Promise<boolean> {
  const transfers = await transfersOfCall(tx, line.organizationId, line.callId);
  const letGo = transfers.some(({ byRefer }) => byRefer);
  return transfers.some(
    ({ outcome, leftAt }) => leftAt === null && (outcome === 'connected' || (letGo && outcome === 'ringing')),
  );
}

/** The peer was already asked to connect the call: its worker released it then, and no agent waits with the caller. */
const isLetGo = async (tx: Queryable, { line }: HeldLine): Promise<boolean> =>
  (await transfersOfCall(tx, line.organizationId, line.callId)).some(({ byRefer }) => byRefer);

/** Undefined for lines that cannot be transferred. */
export const carrierLinesOf = ({ carriers, sip }: Telephony, provider: string): CarrierLines | undefined =>
  provider === 'sip_trunk' ? sip.lines : isAccountCarrier(provider) ? carriers[provider].lines : undefined;

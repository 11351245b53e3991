import type { EndedReason, ReasonDetail } from '@parley/contract';
import { type Queryable, isId } from '@parley/runtime';
import { endCall, lockCallAndJob, type HeldJob, type TriggerFacts } from '../../books';
import {
  insertLine,
  lockLine,
  writeLine,
  type CarrierLine,
  type LineChange,
  type NewLine,
  findCallOfLine,
} from './carrier-lines.sql';
import { type CarrierProtocol, referenceOf, type CarrierWebhook } from '../../network';

/** A line for which its carrier requests instructions. */
export interface FollowedLine {
  readonly provider: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly carrierCallId: string;
}

/** A line with its job and its call, locked until the transaction ends. */
export interface HeldLine extends HeldJob {
  readonly line: CarrierLine;
}

/** Undefined for a call without a line. */
export async function lockHeldLine(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<HeldLine | undefined> {
  const held = await lockCallAndJob(tx, organizationId, callId);
  const line = held?.job && (await lockLine(tx, organizationId, callId));
  if (held?.job === undefined || line === undefined) return undefined;
  return { ...held, job: held.job, line };
}

/** Stores the line of an incoming call, which rings. */
export const openIncomingLine = (
  tx: Queryable,
  organizationId: string,
  line: Pick<NewLine, 'callId' | 'jobId' | 'provider' | 'accountSid' | 'carrierCallId' | 'ringSeconds'>,
): Promise<void> =>
  insertLine(tx, organizationId, { ...line, state: 'ringing', reserved: false, checkSeconds: line.ringSeconds });

/** Updates fields of a line. */
export const changeLine = (tx: Queryable, { line }: HeldLine, change: Partial<LineChange>): Promise<void> =>
  writeLine(tx, line.organizationId, line.callId, {
    state: line.state,
    carrierCallId: line.carrierCallId,
    reserved: line.reserved,
    checkSeconds: 0,
    ...change,
  });

export interface LineFailure {
  readonly endedReason: EndedReason;
  readonly reasonDetail?: ReasonDetail;
  /** The carrier's own description of the failure. */
  readonly said?: string;
}

/** Fails a call that no worker has adopted, and ends an answered one whose worker was lost; other calls do not change. An open line is hung up. */
export async function failLine(
  tx: Queryable,
  held: HeldLine,
  { endedReason, reasonDetail, said }: LineFailure,
  traceparent?: string,
): Promise<void> {
  if (held.job.state !== 'adoptable') return;
  const at = held.now;
  if (held.call.status === 'answered') {
    const moves = [
      ['end', { at, endedReason }],
      ['complete', { at }],
    ] as const;
    await endCall(tx, held, moves, traceparent);
    return;
  }
  const facts: TriggerFacts = {
    at,
    endedReason,
    ...(reasonDetail !== undefined && { reasonDetail }),
    ...(said !== undefined && { problems: [{ code: 'carrier_failure', detail: said, at: at.toISOString() }] }),
  };
  await endCall(tx, held, [[endedReason === 'canceled' ? 'cancel' : 'fail', facts]], traceparent);
}

/**
 * Finds the line to which a signed webhook refers: by the carrier's id, otherwise by our call id in its URL, which the signature covers.
 * @param signers the organizations whose account may have signed the webhook
 */
export async function findFollowed(
  db: Queryable,
  { provider, url, form }: CarrierWebhook,
  protocol: CarrierProtocol,
  signers: readonly string[],
): Promise<FollowedLine | undefined> {
  const { gatewayCallId: carrierCallId } = protocol.callStatusOf(form);
  const named = referenceOf(url);
  const reference = isId('call', named) ? named : '';
  const line = { provider, accountSid: protocol.accountOf(form), carrierCallId };
  for (const organizationId of signers) {
    const callId = await findCallOfLine(db, organizationId, line, reference);
    if (callId !== undefined) return { provider, organizationId, callId, carrierCallId };
  }
  return undefined;
}

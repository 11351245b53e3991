import type { EndedReason } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { lockLine, writeLine, type CarrierLine, type LineChange } from './carrier-lines.sql';
import { endLost } from '../../dispatch';
import {
  lockCall,
  type Call,
  advanceThrough,
  type TriggerFacts,
  recordSteps,
  finishJob,
  lockJobOfCall,
  type LockedJob,
} from '../../books';

/** A line for which its carrier requests instructions. */
export interface FollowedLine {
  readonly provider: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly carrierCallId: string;
}

/** A line with its job and its call, locked until the transaction ends. */
export interface HeldLine {
  readonly line: CarrierLine;
  readonly job: LockedJob;
  readonly call: Call;
  /** The database's clock. */
  readonly now: Date;
}

/** Undefined for a call without a line. */
export async function lockHeldLine(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<HeldLine | undefined> {
  const job = await lockJobOfCall(tx, organizationId, callId);
  const line = job && (await lockLine(tx, organizationId, callId));
  if (job === undefined || line === undefined) return undefined;
  const locked = await lockCall(tx, organizationId, callId);
  if (locked === undefined) throw new Error(`line of call ${callId} has no call`);
  return { line, job, ...locked };
}

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
  readonly reasonDetail?: string;
  /** The carrier's own description of the failure. */
  readonly said?: string;
}

/** Fails a call that no worker has adopted, and ends an answered one whose worker was lost; other calls do not change. An open line is hung up. */
export async function failLine(
  tx: Queryable,
  { line, job, call, now }: HeldLine,
  { endedReason, reasonDetail, said }: LineFailure,
  traceparent?: string,
): Promise<void> {
  if (job.state !== 'adoptable') return;
  if (call.status === 'answered') {
    await endLost(tx, { jobId: line.jobId, call, now }, endedReason, traceparent);
    return;
  }
  const facts: TriggerFacts = {
    at: now,
    endedReason,
    ...(reasonDetail !== undefined && { reasonDetail }),
    ...(said !== undefined && { problems: [{ code: endedReason, detail: said, at: now.toISOString() }] }),
  };
  const trigger = endedReason === 'canceled' ? 'cancel' : 'fail';
  await recordSteps(tx, call, advanceThrough(call, [[trigger, facts]]), now, traceparent);
  await finishJob(tx, line.jobId, true);
}

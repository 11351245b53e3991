import type { CallTransfer, CallTransferRecord, WorkerTransfer, WorkerTransferState } from '@parley/contract';
import { AppError, conflict, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { databaseNow, isId, newId, type CallContext } from '@parley/runtime';
import { organizationOfCall, lockHeldJob, type LeaseInput } from '../../books';
import { armed } from '../live-control/signals';
import { requireControl, wakeWorkerOf } from '../live-control/send-command';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';
import { placeLeg, writeOrder } from './begin-transfer';
import { longestTransferSeconds } from './due-transfers.cross-tenant.sql';
import { giveTransferred, giveTransferring } from './follow-transfer';
import { transfersOfCall, type Transfer } from './transfers.sql';

type Needs = Pick<Telephony, 'db' | 'vault' | 'signals' | 'settings' | 'onCommit'> & Network;

export interface TransferInput {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  readonly callId: string;
  /** Validates the fields of the request. */
  readonly fields: () => CallTransfer;
  readonly request: (organizationId: string) => CreatingRequest;
}

/**
 * Starts a transfer by calling the other party while the agent stays with the caller. The outcome is shown in the call's record.
 * @throws AppError NotFoundError; BadRequestError; ConflictError; control_unavailable; SuspensionError by policy
 */
export async function sendTransfer(
  telephony: Needs,
  input: TransferInput,
  context: CallContext,
): Promise<PublicResult> {
  const { db } = telephony;
  const { callId } = input;
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(db, input.organizationId, callId);
  if (organizationId === '') throw notFound('call');
  const request = input.request(organizationId);
  const recorded = async (transferId: string): Promise<CallTransferRecord> =>
    recordOf(await find(telephony, organizationId, callId, transferId));
  const earlier = await findStoredResponse(db, request);
  if (earlier !== undefined) return { body: await recorded(earlier.recordId ?? ''), replayed: true };
  await requireControl(telephony, organizationId, callId, 'transfer').catch((error: unknown) => {
    // An unknown call is reported before validation errors, and those before problems with the call's state.
    if (!(error instanceof AppError && error.code === 'NotFoundError')) input.fields();
    throw error;
  });
  const { to, kind, announcement = null } = input.fields();
  const { value, stored } = await creating(
    db,
    request,
    async (tx) => {
      const transferId = newId('trf');
      const order = { organizationId, callId, transferId, key: transferId, to, kind, announcement };
      const begun = await writeOrder(telephony, tx, order);
      const { transfer, held } = begun;
      if (held !== undefined) {
        // The REFER is sent after the worker has released the line.
        if (transfer.byRefer) await giveTransferred(tx, { held, transfer });
        else await giveTransferring(tx, { held, transfer }, longestTransferSeconds(transfer.announcement));
      }
      const detail = { transfer_id: transferId, to, kind };
      const act = { organizationId, action: 'call.transfer', subject: callId, detail };
      await append(tx, [auditEvent(act, await databaseNow(tx), context)]);
      return { status: 201, body: '{}', recordId: transferId, value: { transferId, ...begun } };
    },
    { recalled: true },
  );
  telephony.onCommit(false);
  if (value?.held !== undefined) {
    await wakeWorkerOf(telephony, organizationId, callId);
    if (!value.transfer.byRefer) await placeLeg(telephony, value.transfer, value.held);
  }
  return { body: await recorded(value?.transferId ?? stored?.recordId ?? ''), replayed: value === undefined };
}

async function find(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  callId: string,
  transferId: string,
): Promise<Transfer> {
  const transfers = await transfersOfCall(db, organizationId, callId);
  const found = transfers.find((one) => one.transferId === transferId);
  if (found === undefined) throw notFound('transfer');
  return found;
}

const recordOf = ({ transferId, callId, to, kind, outcome }: Transfer): CallTransferRecord => ({
  transfer_id: transferId,
  call_id: callId,
  to,
  kind,
  outcome,
});

/** Responds before the worker repeats its request. */
const waitMs = 20_000;
/** Fallback if a signal of another replica is lost. */
const pollMs = 1_000;

/**
 * Starts the transfer that a tool requested, only once, and waits for its outcome.
 * @throws AppError NotFoundError; BadRequestError; ConflictError; control_unavailable; SuspensionError by policy
 */
export async function transferJob(
  telephony: Needs,
  { organizationId: named, jobId, fields: read }: LeaseInput<WorkerTransfer>,
  signal: AbortSignal,
): Promise<WorkerTransferState> {
  const begun = await telephony.db.transaction(async (tx) => {
    const { job, call, fields } = await lockHeldJob(tx, named, jobId, read);
    if (job.state === 'done') throw conflict('the call is over');
    const { tool_call_id: key, to, kind, announcement = null } = fields;
    const { organizationId, callId } = call;
    const order = { organizationId, callId, transferId: newId('trf'), key, to, kind, announcement };
    return { organizationId, callId, ...(await writeOrder(telephony, tx, order, job.epoch)) };
  });
  const { organizationId, callId, transfer, held } = begun;
  const changed = armed(telephony.signals, 'transfer', callId);
  try {
    if (held !== undefined && !transfer.byRefer) await placeLeg(telephony, transfer, held);
    for (const until = performance.now() + waitMs; ;) {
      const { transferId, outcome, byRefer } = await find(telephony, organizationId, callId, transfer.transferId);
      // The REFER cannot be sent while the worker has the line: `method` makes the worker release it.
      if (byRefer) return { transfer_id: transferId, outcome, method: 'refer' };
      const left = until - performance.now();
      if (outcome !== 'ringing' || left <= 0 || signal.aborted) return { transfer_id: transferId, outcome };
      await changed.wait(Math.min(pollMs, left), signal);
    }
  } finally {
    changed.off();
  }
}

import { controlOf, type CallCommandRecord, type CommandType } from '@parley/contract';
import { AppError, conflict, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { isId, newId, type CallContext, type Queryable } from '@parley/runtime';
import { organizationOfCall } from '../../books';
import type { Telephony } from '../../telephony';
import { expireCommand, findCommand, findTarget, insertCommand, type CallTarget, type Command } from './commands.sql';
import { armed } from './signals';

type Needs = Pick<Telephony, 'db' | 'signals' | 'onCommit'>;

/**
 * How long a worker may take a command, and how long to wait for the outcome. The first is shorter, so that a command taken at the last moment can still be
 * completed.
 */
const takeMs = 4_000;
const outcomeMs = 5_000;
/** How long a worker may take a command for which no request waits. */
const givenMs = 30_000;
/** Polling interval, in case the signal of another replica is lost. */
const pollMs = 500;

export interface CommandInput {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  readonly callId: string;
  readonly type: CommandType;
  /** Validates the fields of the request. */
  readonly fields: () => object;
  readonly request: (organizationId: string) => CreatingRequest;
  /** Repeats an earlier command that is already in the audit log, so no further audit entry is written. */
  readonly again?: boolean;
  /** Builds the response body. Default: CallCommandRecord. */
  readonly answer?: (result: string | null) => object;
  /** How long to wait for its outcome. Default: 5 s. */
  readonly outcomeMs?: number;
}

/**
 * Sends a command to the worker that conducts a call, and waits for its outcome. A request repeated with its Idempotency-Key waits for the outcome of the first
 * one. If no worker takes the command in time, it expires as if it had never been sent.
 * @throws AppError NotFoundError; BadRequestError; ConflictError for a call that is not in progress; control_unavailable; worker_unreachable 503
 */
export async function sendCommand(telephony: Needs, input: CommandInput, context: CallContext): Promise<PublicResult> {
  const { db } = telephony;
  const { callId } = input;
  if (!isId('call', callId)) throw notFound('call');
  const organizationId = await organizationOfCall(db, input.organizationId, callId);
  if (organizationId === '') throw notFound('call');
  const request = input.request(organizationId);
  const answer = (command: Performed) => input.answer?.(command.result) ?? recordOf(command);
  const earlier = await findStoredResponse(db, request);
  if (earlier !== undefined) {
    const command = await awaitOutcome(
      telephony,
      organizationId,
      earlier.recordId ?? '',
      context.signal,
      input.outcomeMs,
    );
    return { body: answer(command), replayed: true };
  }
  const target = await findTarget(db, organizationId, callId);
  if (target === undefined) throw notFound('call');
  const fields = input.fields();
  const jobId = requireJob(target, input.type);
  const { value, stored } = await creating(
    db,
    request,
    async (tx) => {
      const commandId = newId('cmd');
      const command = { commandId, callId, jobId, type: input.type, fields: JSON.stringify(fields), takeMs };
      const at = await insertCommand(tx, organizationId, command);
      const act = { organizationId, action: `call.${input.type}`, subject: callId, detail: { command_id: commandId } };
      if (input.again !== true) await append(tx, [auditEvent(act, at, context)]);
      return { status: 201, body: '{}', recordId: commandId, value: commandId };
    },
    { recalled: true },
  );
  telephony.onCommit(false);
  const commandId = value ?? stored?.recordId ?? '';
  if (target.workerId !== undefined) telephony.signals.send('worker', target.workerId);
  const command = await awaitOutcome(telephony, organizationId, commandId, context.signal, input.outcomeMs);
  return { body: answer(command), replayed: value === undefined };
}

/**
 * Returns the call if it is in progress and its worker supports the command.
 * @throws AppError NotFoundError; ConflictError; control_unavailable
 */
export async function requireControl(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  callId: string,
  type: CommandType,
): Promise<void> {
  const target = await findTarget(db, organizationId, callId);
  if (target === undefined) throw notFound('call');
  requireJob(target, type);
}

export interface GivenCommand {
  readonly callId: string;
  readonly jobId: string;
  readonly type: CommandType;
  readonly fields: object;
}

/**
 * Sends a command of the platform itself to a call in progress and waits for its outcome.
 * @returns JSON of the command's result
 * @throws AppError ConflictError for a call that is not in progress; control_unavailable; worker_unreachable
 */
export async function ask(
  telephony: Needs,
  organizationId: string,
  given: Pick<GivenCommand, 'callId' | 'type' | 'fields'> & { readonly waitMs: number },
  signal: AbortSignal,
): Promise<string | null> {
  const { db, signals } = telephony;
  const { callId, type, fields, waitMs } = given;
  const target = await findTarget(db, organizationId, callId);
  if (target === undefined) throw notFound('call');
  const commandId = newId('cmd');
  const command = { commandId, callId, jobId: requireJob(target, type), type, fields: JSON.stringify(fields), takeMs };
  await insertCommand(db, organizationId, command);
  if (target.workerId !== undefined) signals.send('worker', target.workerId);
  return (await awaitOutcome(telephony, organizationId, commandId, signal, waitMs)).result;
}

/** Inserts a command of the platform itself for whose outcome no caller waits. After the commit the caller must wake the worker. */
export const giveCommand = (tx: Queryable, organizationId: string, command: GivenCommand): Promise<Date> =>
  insertCommand(tx, organizationId, {
    ...command,
    commandId: newId('cmd'),
    fields: JSON.stringify(command.fields),
    takeMs: givenMs,
  });

/** Informs the worker that the other party has put the call on hold, or has taken it back. A call without a worker is not informed. */
export async function tellHeld(telephony: Needs, organizationId: string, callId: string, held: boolean): Promise<void> {
  const target = await findTarget(telephony.db, organizationId, callId);
  if (target?.status !== 'answered' || target.jobId === undefined) return;
  await giveCommand(telephony.db, organizationId, { callId, jobId: target.jobId, type: 'held', fields: { held } });
  if (target.workerId !== undefined) telephony.signals.send('worker', target.workerId);
}

export async function wakeWorkerOf({ db, signals }: Needs, organizationId: string, callId: string): Promise<void> {
  const target = await findTarget(db, organizationId, callId);
  if (target?.workerId !== undefined) signals.send('worker', target.workerId);
}

/** Checks whether the command can be sent to the call. @returns the id of the job to which it is addressed */
function requireJob({ status, jobId, jobState, recorded, capabilities }: CallTarget, type: CommandType): string {
  if (status !== 'answered') throw conflict(`the call is ${status}`);
  if (jobId === undefined) throw unavailable('this call does not accept commands');
  const control = controlOf[type];
  // While the call has no worker, its capabilities are unknown: the command waits for the next worker.
  if (jobState === 'leased' && capabilities?.includes(`control:${control}`) !== true)
    throw unavailable(`this call does not support ${control}`);
  if (control === 'recording' && !recorded) throw unavailable('the call is not recorded');
  return jobId;
}

const unavailable = (message: string): AppError => new AppError('control_unavailable', message);

const unreachable = (message: string): AppError =>
  new AppError('worker_unreachable', message, { fields: { retry_after_seconds: 1 } });

type Performed = Command & { readonly endedAt: Date };

/** @throws AppError if the command was not carried out, or if its outcome is unknown */
async function awaitOutcome(
  telephony: Needs,
  organizationId: string,
  commandId: string,
  signal: AbortSignal,
  waitMs = outcomeMs,
): Promise<Performed> {
  const { db, signals } = telephony;
  const outcome = armed(signals, 'command', commandId);
  try {
    for (const until = performance.now() + waitMs; ;) {
      const command = await findCommand(db, organizationId, commandId);
      if (command === undefined) throw notFound('call');
      const { endedAt, state } = command;
      if (endedAt !== null) return performed(command, endedAt);
      const over = command.callStatus !== 'answered';
      if (state === 'expired' || ((over || performance.now() >= until) && state === 'waiting')) {
        if (state !== 'expired' && !(await expireCommand(db, organizationId, commandId))) continue;
        if (over) throw conflict(`the call is ${command.callStatus}`);
        throw unreachable('no worker took the command in time; it will not be performed');
      }
      if (performance.now() >= until || signal.aborted)
        throw unreachable('a worker took the command and has not answered: it may have been performed');
      await outcome.wait(Math.min(pollMs, until - performance.now()), signal);
    }
  } finally {
    outcome.off();
  }
}

function performed(command: Command, endedAt: Date): Performed {
  if (command.state === 'performed') return { ...command, endedAt };
  const detail = command.detail ?? 'the worker refused the command';
  if (command.refusal === 'unavailable') throw unavailable(detail);
  throw conflict(command.refusal === 'call_over' ? 'the call is over' : detail);
}

const recordOf = ({ commandId, callId, type, createdAt, endedAt }: Performed) =>
  ({
    command_id: commandId,
    call_id: callId,
    type,
    status: 'performed',
    created_at: createdAt.toISOString(),
    performed_at: endedAt.toISOString(),
  }) satisfies CallCommandRecord;

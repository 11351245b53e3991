import {
  nameOfTool,
  type CallTuning,
  type WorkerToolCall,
  type WorkerToolCallState,
  type WorkerToolOutcome,
} from '@parley/contract';
import { conflict, invalidField, notFound } from '@parley/errors';
import { countToolCalls, findToolCall, insertToolCall, writeToolOutcome, type ToolCall } from './tool-calls.sql';
import { type Call, lockHeldJob, lockLease, type LeaseInput } from '../../books';
import type { Telephony } from '../../telephony';

/** More than any conversation of half an hour has. */
const mostToolCalls = 1_000;

/**
 * Records a tool call before its request is sent. Several attempts may use the same tool call id, possibly by different workers: only the first one may send
 * the request.
 * @throws AppError NotFoundError; BadRequestError, also for a tool that the call does not have; ConflictError
 */
export function beginToolCall(
  telephony: Pick<Telephony, 'db'>,
  input: LeaseInput<WorkerToolCall>,
): Promise<WorkerToolCallState> {
  return telephony.db.transaction(async (tx) => {
    const { call, job, fields } = await lockLease(tx, input);
    const { tool_call_id: toolCallId, name, run_id: runId } = fields;
    if (!toolNames(call).has(name)) throw invalidField('name', 'not_allowed', 'does not name a tool of the call');
    const { organizationId, callId } = call;
    const key = { callId, toolCallId };
    const earlier = await findToolCall(tx, organizationId, key);
    if (earlier !== undefined) return stateOf(earlier, runId);
    if ((await countToolCalls(tx, organizationId, callId)) >= mostToolCalls) {
      throw conflict(`the call has run ${mostToolCalls} tools`);
    }
    await insertToolCall(tx, organizationId, { ...key, name, runId, epoch: job.epoch });
    return stateOf({ toolCallId, runId, outcome: null, result: null }, runId);
  });
}

/** Stores the outcome of a tool call; a repeated report changes nothing. @throws AppError NotFoundError; BadRequestError; ConflictError for a stale epoch */
export function endToolCall(
  telephony: Pick<Telephony, 'db'>,
  { toolCallId, ...input }: LeaseInput<WorkerToolOutcome> & { readonly toolCallId: string },
): Promise<WorkerToolCallState> {
  return telephony.db.transaction(async (tx) => {
    const { call, fields } = await lockHeldJob(tx, input.organizationId, input.jobId, input.fields);
    const { organizationId, callId } = call;
    const key = { callId, toolCallId };
    const { outcome, result, duration_ms: durationMs } = fields;
    await writeToolOutcome(tx, organizationId, key, { outcome, result, durationMs });
    const written = await findToolCall(tx, organizationId, key);
    if (written === undefined) throw notFound('tool call');
    return stateOf(written, undefined);
  });
}

const toolNames = ({ tuning }: Call): ReadonlySet<string> =>
  new Set((JSON.parse(tuning) as CallTuning).tools.map(nameOfTool));

const stateOf = (
  { toolCallId, runId, outcome, result }: ToolCall,
  asking: string | undefined,
): WorkerToolCallState => ({
  tool_call_id: toolCallId,
  run: runId === asking && outcome === null,
  outcome,
  result,
});

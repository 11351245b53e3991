import type { ToolOutcomeName } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

export interface ToolCall {
  readonly toolCallId: string;
  readonly runId: string;
  /** Null: unknown. */
  readonly outcome: ToolOutcomeName | null;
  readonly result: string | null;
}

interface ToolCallRow {
  readonly tool_call_id: string;
  readonly run_id: string;
  readonly outcome: ToolOutcomeName | null;
  readonly result: string | null;
}

const columns = 'tool_call_id, run_id, outcome, result';

const toolCallOf = (row: ToolCallRow): ToolCall => ({
  toolCallId: row.tool_call_id,
  runId: row.run_id,
  outcome: row.outcome,
  result: row.result,
});

export interface ToolCallKey {
  readonly callId: string;
  readonly toolCallId: string;
}

/** Returns false if the tool call was recorded before. */
export async function insertToolCall(
  tx: Queryable,
  organizationId: string,
  { callId, toolCallId, name, runId, epoch }: ToolCallKey & { name: string; runId: string; epoch: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'tool-call-insert',
    text: `insert into tool_calls (organization_id, call_id, tool_call_id, name, run_id, epoch)
           values ($1, $2, $3, $4, $5, $6) on conflict (call_id, tool_call_id) do nothing`,
    values: [organizationId, callId, toolCallId, name, runId, epoch],
  });
  return rowCount === 1;
}

export async function findToolCall(
  db: Queryable,
  organizationId: string,
  { callId, toolCallId }: ToolCallKey,
): Promise<ToolCall | undefined> {
  const { rows } = await db.query<ToolCallRow>({
    name: 'tool-call-find',
    text: `select ${columns} from tool_calls
           where organization_id = $1 and call_id = $2 and tool_call_id = $3`,
    values: [organizationId, callId, toolCallId],
  });
  return rows[0] === undefined ? undefined : toolCallOf(rows[0]);
}

/** The number of tool calls of a call. */
export async function countToolCalls(db: Queryable, organizationId: string, callId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'tool-call-count',
    text: `select count(*)::integer as count from tool_calls where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
  return rows[0]?.count ?? 0;
}

export interface ToolCallEnd {
  readonly outcome: ToolOutcomeName;
  readonly result: string;
  readonly durationMs: number;
}

/** Stores the outcome of a tool call; later outcomes are ignored. */
export async function writeToolOutcome(
  tx: Queryable,
  organizationId: string,
  { callId, toolCallId }: ToolCallKey,
  { outcome, result, durationMs }: ToolCallEnd,
): Promise<void> {
  await tx.query({
    name: 'tool-call-end',
    text: `update tool_calls set outcome = $4, result = $5, duration_ms = $6
           where organization_id = $1 and call_id = $2 and tool_call_id = $3 and outcome is null`,
    values: [organizationId, callId, toolCallId, outcome, result, durationMs],
  });
}

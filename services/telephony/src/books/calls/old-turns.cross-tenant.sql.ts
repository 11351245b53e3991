import type { Queryable } from '@parley/runtime';

// Spans halls: what was kept for workers while a call lasted is deleted together.

/** Deletes recorded tool calls of calls that ended long ago; returns their number. */
export async function pruneToolCalls(db: Queryable, most: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'tool-calls-prune',
    text: `delete from tool_calls using (
             select call_id, tool_call_id from tool_calls where started_at < now() - interval '1 day'
             order by started_at limit $1) old
           where tool_calls.call_id = old.call_id and tool_calls.tool_call_id = old.tool_call_id`,
    values: [most],
  });
  return rowCount ?? 0;
}

/** Deletes snapshots of calls that ended long ago; returns their number. */
export async function pruneSnapshots(db: Queryable, most: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'call-snapshots-prune',
    text: `delete from call_snapshots using (
             select call_id from call_snapshots where taken_at < now() - interval '1 day' order by taken_at limit $1) old
           where call_snapshots.call_id = old.call_id`,
    values: [most],
  });
  return rowCount ?? 0;
}

/** Deletes reported turns of calls that ended long ago without their worker's completion; returns their number. */
export async function pruneTurns(db: Queryable, most: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'call-turns-prune',
    text: `delete from call_turns using (
             select call_id, position from call_turns where reported_at < now() - interval '1 day'
             order by reported_at limit $1) old
           where call_turns.call_id = old.call_id and call_turns.position = old.position`,
    values: [most],
  });
  return rowCount ?? 0;
}

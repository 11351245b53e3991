import type { Queryable } from '@parley/runtime';

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

import type { Queryable } from '@parley/runtime';

// Spans halls: a call is handed over with its line, snapshot, turns and tool calls, in one transaction.

/** Stores the latest snapshot of a call. @param body JSON */
export async function putSnapshot(tx: Queryable, organizationId: string, callId: string, body: string): Promise<void> {
  await tx.query({
    name: 'call-snapshot-put',
    text: `insert into call_snapshots as s (organization_id, call_id, body) values ($1, $2, $3)
           on conflict (call_id) do update set body = excluded.body, taken_at = excluded.taken_at where s.organization_id = $1`,
    values: [organizationId, callId, body],
  });
}

/**
 * Whether another worker can continue the call. `open`: its line is open; `closed`: its line was closed; `none`: it has no line, or it was answered and has no
 * snapshot.
 */
export async function lineToHandOver(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<'open' | 'closed' | 'none'> {
  const { rows } = await tx.query<{ open: boolean; known: boolean }>({
    name: 'hand-over-line',
    text: `select l.state <> 'closed' as open,
             c.status = 'dialing' or (c.status = 'answered' and exists (
               select from call_snapshots s where s.organization_id = $1 and s.call_id = $2)) as known
           from carrier_lines l join calls c on c.organization_id = $1 and c.call_id = l.call_id
           where l.organization_id = $1 and l.call_id = $2`,
    values: [organizationId, callId],
  });
  const [row] = rows;
  if (row?.known !== true) return 'none';
  return row.open ? 'open' : 'closed';
}

/** The line lost its worker: makes it due after some seconds, and turns a slot that is still kept for it into a reservation. */
export async function noteLost(tx: Queryable, organizationId: string, callId: string, checkSeconds: number) {
  await tx.query({
    name: 'hand-over-line-lost',
    text: `update carrier_lines set reserved = coalesce(hand_over_until > clock_timestamp(), false), hand_over_until = null,
             check_at = clock_timestamp() + make_interval(secs => $3)
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId, checkSeconds],
  });
}

interface Known {
  /** JSON; null if there is no snapshot. */
  readonly snapshot: string | null;
  readonly elapsedMs: number;
  /** The turns so far, each as JSON of TranscriptTurn. */
  readonly turns: readonly string[];
  readonly tools: readonly ToolRow[];
}

interface ToolRow {
  readonly tool_call_id: string;
  readonly name: string;
  readonly outcome: string | null;
  readonly result: string | null;
}

/** The stored state with which another worker continues a call; undefined for a call that was not answered. */
export async function findKnown(db: Queryable, organizationId: string, callId: string): Promise<Known | undefined> {
  const { rows } = await db.query<{ snapshot: string | null; elapsed_ms: number; turns: string[]; tools: ToolRow[] }>({
    name: 'hand-over-known',
    text: `select (select s.body from call_snapshots s where s.organization_id = $1 and s.call_id = $2) as snapshot,
             extract(epoch from clock_timestamp() - c.answered_at)::float8 * 1000 as elapsed_ms,
             array(select t.body from call_turns t where t.organization_id = $1 and t.call_id = $2
               order by t.position) as turns,
             coalesce((select json_agg(json_build_object('tool_call_id', o.tool_call_id, 'name', o.name, 'outcome', o.outcome,
                 'result', o.result) order by o.started_at)
               from tool_calls o where o.organization_id = $1 and o.call_id = $2), '[]') as tools
           from calls c where c.organization_id = $1 and c.call_id = $2 and c.status = 'answered'`,
    values: [organizationId, callId],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { snapshot, elapsed_ms: elapsedMs, turns, tools } = row;
  return { snapshot, elapsedMs: Math.max(0, Math.round(elapsedMs)), turns, tools };
}

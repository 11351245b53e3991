import type { Queryable } from '@parley/runtime';

/** The number of turns reported so far for a call in progress. */
export async function countTurns(db: Queryable, organizationId: string, callId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'call-turns-count',
    text: `select coalesce(max(position) + 1, 0)::integer as count from call_turns
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
  return rows[0]?.count ?? 0;
}

export interface ReportedTurns {
  readonly callId: string;
  /** The position of the first turn. */
  readonly first: number;
  /** JSON of TranscriptTurn, one string per turn. */
  readonly turns: readonly string[];
}

/** Stores turns from a position on; they replace stored ones at the same positions. */
export async function putTurns(
  tx: Queryable,
  organizationId: string,
  { callId, first, turns }: ReportedTurns,
): Promise<void> {
  await tx.query({
    name: 'call-turns-put',
    text: `with later as (
             delete from call_turns where organization_id = $1 and call_id = $2
               and position >= $3::integer + cardinality($4::text[]))
           insert into call_turns (organization_id, call_id, position, body)
           select $1, $2, $3::integer + turn.nth::integer - 1, turn.body
           from unnest($4::text[]) with ordinality as turn(body, nth)
           on conflict (call_id, position) do update set body = excluded.body where call_turns.organization_id = $1`,
    values: [organizationId, callId, first, turns],
  });
}

/** The turns reported so far for a call in progress, from a position on, in order; one JSON string of TranscriptTurn per turn. */
export async function listTurns(
  db: Queryable,
  organizationId: string,
  callId: string,
  from: number,
  most: number,
): Promise<string[]> {
  const { rows } = await db.query<{ body: string }>({
    name: 'call-turns-list',
    text: `select body from call_turns where organization_id = $1 and call_id = $2 and position >= $3
           order by position limit $4`,
    values: [organizationId, callId, from, most],
  });
  return rows.map(({ body }) => body);
}

/** Deletes the stored turns of a call that is over, together with its snapshot, and returns the turns in order. */
export async function takeTurns(tx: Queryable, organizationId: string, callId: string): Promise<string[]> {
  const { rows } = await tx.query<{ body: string }>({
    name: 'call-turns-take',
    text: `with taken as (
             delete from call_turns where organization_id = $1 and call_id = $2 returning position, body),
           snapshot as (
             delete from call_snapshots where organization_id = $1 and call_id = $2)
           select body from taken order by position`,
    values: [organizationId, callId],
  });
  return rows.map(({ body }) => body);
}

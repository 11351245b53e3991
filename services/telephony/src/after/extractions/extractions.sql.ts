import type { Queryable } from '@parley/runtime';

export interface Recorded {
  readonly status: 'ready' | 'failed';
  readonly runId: string;
}

export interface NewExtraction extends Recorded {
  readonly callId: string;
  readonly revision: number;
  /** The result as JSON. */
  readonly body: string;
}

/** The stored results of a call for each revision. */
export async function findRecorded(
  db: Queryable,
  organizationId: string,
  callId: string,
  revision: number,
): Promise<Recorded | undefined> {
  const { rows } = await db.query<{ status: Recorded['status']; run_id: string }>({
    name: 'extraction-recorded',
    text: `select status, run_id from call_extractions
           where organization_id = $1 and call_id = $2 and revision = $3`,
    values: [organizationId, callId, revision],
  });
  return rows[0] && { status: rows[0].status, runId: rows[0].run_id };
}

/** The result of the newest revision. */
export async function findExtraction(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<
  | {
      readonly revision: number;
      readonly status: Recorded['status'];
      readonly body: string;
      readonly runId: string;
      readonly at: Date;
    }
  | undefined
> {
  const { rows } = await db.query<{
    revision: number;
    status: Recorded['status'];
    body: string;
    run_id: string;
    created_at: Date;
  }>({
    name: 'extraction-find',
    text: `select revision, status, body, run_id, created_at from call_extractions
           where organization_id = $1 and call_id = $2 order by revision desc limit 1`,
    values: [organizationId, callId],
  });
  const row = rows[0];
  return row && { revision: row.revision, status: row.status, body: row.body, runId: row.run_id, at: row.created_at };
}

/** Stores a result; it replaces an earlier failure but never an earlier result. Returns whether it was written. The caller has locked the call. */
export async function putExtraction(tx: Queryable, organizationId: string, one: NewExtraction): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'extraction-put',
    text: `insert into call_extractions as e (organization_id, call_id, revision, status, run_id, body)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (call_id, revision) do update
             set status = excluded.status, run_id = excluded.run_id, body = excluded.body, created_at = clock_timestamp()
             where e.organization_id = $1 and e.status = 'failed' and e.run_id <> excluded.run_id`,
    values: [organizationId, one.callId, one.revision, one.status, one.runId, one.body],
  });
  return rowCount > 0;
}

export interface TranscribedCalls {
  readonly agentId: string;
  /** A range of call ids: `from` is inclusive, `to` is exclusive. */
  readonly from: string;
  readonly to: string;
  readonly after: string;
  readonly limit: number;
}

/** Oldest first. */
export async function listTranscribed(
  db: Queryable,
  organizationId: string,
  { agentId, from, to, after, limit }: TranscribedCalls,
): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'extraction-transcribed-calls',
    text: `select c.call_id from calls c
           where c.organization_id = $1 and c.agent_id = $2 and c.call_id >= $3 and c.call_id < $4 and c.call_id > $5
             and exists (select 1 from transcripts t where t.organization_id = $1 and t.call_id = c.call_id)
           order by c.call_id limit $6`,
    values: [organizationId, agentId, from, to, after, limit],
  });
  return rows.map(({ call_id: callId }) => callId);
}

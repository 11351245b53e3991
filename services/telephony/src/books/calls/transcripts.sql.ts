import type { Queryable } from '@parley/runtime';

/** Stores the transcript of a call unless there is one; returns whether it was stored. `body` is JSON of the class Transcript. */
export async function putTranscript(
  tx: Queryable,
  organizationId: string,
  callId: string,
  body: string,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'transcript-put',
    text: `insert into transcripts (call_id, organization_id, body, created_at) values ($2, $1, $3, $4)
           on conflict (call_id) do nothing`,
    values: [organizationId, callId, body, at],
  });
  return rowCount > 0;
}

export async function findTranscript(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<{ body: string; createdAt: Date } | undefined> {
  const { rows } = await db.query<{ body: string; created_at: Date }>({
    name: 'transcript-find',
    text: 'select body, created_at from transcripts where organization_id = $1 and call_id = $2',
    values: [organizationId, callId],
  });
  return rows[0] === undefined ? undefined : { body: rows[0].body, createdAt: rows[0].created_at };
}

import type { Queryable } from '@parley/runtime';

/** Stores the input log of a call, once. */
export async function putInputLog(
  tx: Queryable,
  organizationId: string,
  { callId, log, at }: { readonly callId: string; readonly log: Buffer; readonly at: Date },
): Promise<void> {
  await tx.query({
    name: 'input-log-put',
    text: `insert into call_input_logs (call_id, organization_id, log, created_at) values ($2, $1, $3, $4)
           on conflict (call_id) do nothing`,
    values: [organizationId, callId, log, at],
  });
}

export async function findInputLog(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<{ log: Buffer; createdAt: Date } | undefined> {
  const { rows } = await db.query<{ log: Buffer; created_at: Date }>({
    name: 'input-log-find',
    text: 'select log, created_at from call_input_logs where organization_id = $1 and call_id = $2',
    values: [organizationId, callId],
  });
  return rows[0] === undefined ? undefined : { log: rows[0].log, createdAt: rows[0].created_at };
}

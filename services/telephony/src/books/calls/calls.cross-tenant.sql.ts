import type { Queryable } from '@parley/runtime';
import type { CallStatus } from './call.rules';

export interface PinnedTuning {
  readonly call_id: string;
  readonly organization_id: string;
  readonly agent_id: string;
  readonly status: CallStatus;
  readonly tuning: string;
}

/** Replaces a tuning unless it has changed since it was read. */
export async function replaceTuning(db: Queryable, call: PinnedTuning, tuning: string): Promise<void> {
  await db.query({
    name: 'tuning-replace',
    text: `update calls set tuning = $4 where organization_id = $1 and call_id = $2 and tuning = $3`,
    values: [call.organization_id, call.call_id, call.tuning, tuning],
  });
}

/** Open calls of all organizations that have encrypted header values of tools, in id order. @param after the last id already returned */
export async function readSealedTunings(db: Queryable, after: string, limit: number): Promise<PinnedTuning[]> {
  const { rows } = await db.query<PinnedTuning>({
    name: 'tunings-sealed',
    text: `select call_id, organization_id, agent_id, status, tuning from calls
           where call_id in (
               select call_id from jobs where state = 'queued' union all select call_id from jobs where state = 'leased'
               union all select call_id from jobs where state = 'adoptable')
             and call_id > $1 and tuning like '%"sealed_headers":{"%'
           order by call_id limit $2`,
    values: [after, limit],
  });
  return rows;
}

/** The organization of a call, for requests that do not specify it: those of operators, and reports of carriers. */
export async function ownerOfCall(db: Queryable, callId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'call-owner',
    text: 'select organization_id from calls where call_id = $1',
    values: [callId],
  });
  return rows[0]?.organization_id;
}

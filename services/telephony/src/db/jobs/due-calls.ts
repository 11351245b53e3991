import type { Queryable } from '@parley/runtime';

/** A booked call whose time has come. */
export interface DueCall {
  readonly callId: string;
  readonly organizationId: string;
  readonly consent: boolean;
  /** The language that was asked for. */
  readonly language: string | undefined;
  readonly traceparent: string | undefined;
  /** How long it has waited for room. */
  readonly waitedSeconds: number;
}

interface DueRow {
  readonly call_id: string;
  readonly organization_id: string;
  readonly consent: boolean;
  readonly language: string | null;
  readonly traceparent: string | null;
  readonly waited: number;
}

/**
 * Takes those that are due longest. They come due again after `seconds`: a process that dies while it judges them leaves them to another. The call's own
 * lock and status decide which judgement counts.
 */
export async function takeDue(db: Queryable, limit: number, seconds: number): Promise<DueCall[]> {
  const { rows } = await db.query<DueRow>({
    name: 'scheduled-take',
    text: `update scheduled_calls s set judge_at = now() + make_interval(secs => $2)
           from (select call_id from scheduled_calls where judge_at <= now() order by judge_at limit $1
                 for update skip locked) due
           where s.call_id = due.call_id
           returning s.call_id, s.organization_id, s.consent, s.language, s.traceparent,
             coalesce(extract(epoch from now() - s.waiting_since), 0)::float8 as waited`,
    values: [limit, seconds],
  });
  return rows.map((row) => ({
    callId: row.call_id,
    organizationId: row.organization_id,
    consent: row.consent,
    language: row.language ?? undefined,
    traceparent: row.traceparent ?? undefined,
    waitedSeconds: row.waited,
  }));
}

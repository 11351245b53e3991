import type { Queryable } from '@parley/runtime';
import type { SettlementLease } from './scheduled-calls.sql';

/** A scheduled call that is due, with the lease that permits settling it. */
export interface DueCall extends SettlementLease {
  readonly consent: boolean;
  /** The requested language. */
  readonly language: string | undefined;
  readonly traceparent: string | undefined;
  /** How long it has waited for capacity. */
  readonly waitedSeconds: number;
}

export interface Taking {
  /** The organization served last; the next one with a due call is served now. */
  readonly after: string;
  /** Organizations to skip. */
  readonly busy: readonly string[];
  /** How long the lease lasts. */
  readonly seconds: number;
}

interface DueRow {
  readonly call_id: string;
  readonly organization_id: string;
  readonly consent: boolean;
  readonly language: string | null;
  readonly traceparent: string | null;
  readonly check_at: string;
  readonly waited: number;
}

// Finds organizations one after another with one index probe each and stops at the first with a due call, so that the backlog of an organization is never
// scanned.
const takeText = `
  with recursive organization as (
    (select organization_id from scheduled_calls
     where organization_id > $1
       and exists (select from scheduled_calls where check_at <= now()) order by organization_id limit 1)
    union all
    select following.organization_id from organization cross join lateral (
      select organization_id from scheduled_calls where organization_id > organization.organization_id
      order by organization_id limit 1) following
  ), due as materialized (
    select oldest.call_id from organization cross join lateral (
      select call_id from scheduled_calls where organization_id = organization.organization_id and check_at <= now()
        and organization.organization_id <> all($2::text[])
      order by check_at limit 1 for update skip locked) oldest
    limit 1
  )
  update scheduled_calls s set check_at = clock_timestamp() + make_interval(secs => $3) from due where s.call_id = due.call_id
  returning s.call_id, s.organization_id, s.consent, s.language, s.traceparent, s.check_at::text as check_at,
    coalesce(extract(epoch from now() - s.waiting_since), 0)::float8 as waited`;

/**
 * Takes the oldest due call of the next organization that has one. The call is due again after `seconds`, so another process takes it if this one dies before
 * it has settled it.
 */
export async function takeDue(db: Queryable, { after, busy, seconds }: Taking): Promise<DueCall | undefined> {
  const { rows } = await db.query<DueRow>({
    name: 'scheduled-take',
    text: takeText,
    values: [after, busy, seconds],
  });
  const [row] = rows;
  if (row === undefined) return after === '' ? undefined : takeDue(db, { after: '', busy, seconds });
  return {
    callId: row.call_id,
    organizationId: row.organization_id,
    checkAt: row.check_at,
    consent: row.consent,
    language: row.language ?? undefined,
    traceparent: row.traceparent ?? undefined,
    waitedSeconds: row.waited,
  };
}

import type { Queryable } from '@parley/runtime';
import type { RetentionDays } from './retention-settings.sql';

export interface DueRetention extends RetentionDays {
  readonly organizationId: string;
  /** Whether the rules could not be applied the last time. */
  readonly failing: boolean;
}

/** Claims the due organization whose rules were applied longest ago. Its rules are due again after ten minutes. */
export async function claimRetention(db: Queryable): Promise<DueRetention | undefined> {
  const { rows } = await db.query<{
    organization_id: string;
    calls_days: number | null;
    content_days: number | null;
    recordings_days: number | null;
    messages_days: number | null;
    failing: boolean;
  }>({
    name: 'retention-claim',
    text: `update organization_retention r set due_at = clock_timestamp() + interval '10 minutes'
           from (select organization_id from organization_retention where due_at <= clock_timestamp()
                 order by due_at limit 1 for update skip locked) due
           where r.organization_id = due.organization_id
           returning r.organization_id, r.calls_days, r.content_days, r.recordings_days, r.messages_days,
             r.failing_since is not null as failing`,
  });
  const [row] = rows;
  return (
    row && {
      organizationId: row.organization_id,
      callsDays: row.calls_days,
      contentDays: row.content_days,
      recordingsDays: row.recordings_days,
      messagesDays: row.messages_days,
      failing: row.failing,
    }
  );
}

/** Notes whether the rules of an organization could be applied. The time of the first of several failures is kept. */
export async function noteRetentionResult(db: Queryable, organizationId: string, failed: boolean): Promise<void> {
  await db.query({
    name: 'retention-result',
    text: `update organization_retention set failing_since = case when $2 then coalesce(failing_since, clock_timestamp()) end
           where organization_id = $1`,
    values: [organizationId, failed],
  });
}

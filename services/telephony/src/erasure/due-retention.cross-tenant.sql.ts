import type { Queryable } from '@parley/runtime';
import type { RetentionDays } from './retention-settings.sql';

export interface DueRetention extends RetentionDays {
  readonly organizationId: string;
}

/** Claims the due organization whose rules were applied longest ago. Its rules are due again after ten minutes. */
export async function claimRetention(db: Queryable): Promise<DueRetention | undefined> {
  const { rows } = await db.query<{
    organization_id: string;
    calls_days: number | null;
    content_days: number | null;
    recordings_days: number | null;
    messages_days: number | null;
  }>({
    name: 'retention-claim',
    text: `update organization_retention r set due_at = clock_timestamp() + interval '10 minutes'
           from (select organization_id from organization_retention where due_at <= clock_timestamp()
                 order by due_at limit 1 for update skip locked) due
           where r.organization_id = due.organization_id
           returning r.organization_id, r.calls_days, r.content_days, r.recordings_days, r.messages_days`,
  });
  const [row] = rows;
  return (
    row && {
      organizationId: row.organization_id,
      callsDays: row.calls_days,
      contentDays: row.content_days,
      recordingsDays: row.recordings_days,
      messagesDays: row.messages_days,
    }
  );
}

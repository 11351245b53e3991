import type { Queryable } from '@parley/runtime';
import { overStatuses } from '../../books/erasure/erased.rules';

/** Retention in days; null: data is kept until its erasure is requested. */
export interface RetentionDays {
  readonly callsDays: number | null;
  readonly contentDays: number | null;
  readonly recordingsDays: number | null;
  readonly messagesDays: number | null;
}

export interface StoredRetention extends RetentionDays {
  readonly organizationId: string;
  /** The number of changes, from 1. */
  readonly revision: number;
  readonly updatedAt: Date;
}

interface RetentionRow {
  readonly organization_id: string;
  readonly calls_days: number | null;
  readonly content_days: number | null;
  readonly recordings_days: number | null;
  readonly messages_days: number | null;
  readonly revision: number;
  readonly updated_at: Date;
}

const columns = 'organization_id, calls_days, content_days, recordings_days, messages_days, revision, updated_at';

const retentionOf = (row: RetentionRow | undefined): StoredRetention | undefined =>
  row && {
    organizationId: row.organization_id,
    callsDays: row.calls_days,
    contentDays: row.content_days,
    recordingsDays: row.recordings_days,
    messagesDays: row.messages_days,
    revision: row.revision,
    updatedAt: row.updated_at,
  };

/** Undefined for an organization without retention settings. */
export async function readRetention(db: Queryable, organizationId: string): Promise<StoredRetention | undefined> {
  const { rows } = await db.query<RetentionRow>({
    name: 'retention-read',
    text: `select ${columns} from organization_retention where organization_id = $1`,
    values: [organizationId],
  });
  return retentionOf(rows[0]);
}

/** Replaces the settings if their revision is still `revision` (0: no settings yet); undefined if it is not. The new settings are due at once. */
export async function writeRetention(
  tx: Queryable,
  organizationId: string,
  revision: number,
  days: RetentionDays,
): Promise<StoredRetention | undefined> {
  const { rows } = await tx.query<RetentionRow>({
    name: 'retention-write',
    text: `insert into organization_retention as r (organization_id, calls_days, content_days, recordings_days, messages_days)
           values ($1, $3, $4, $5, $6)
           on conflict (organization_id) do update set calls_days = excluded.calls_days, content_days = excluded.content_days,
             recordings_days = excluded.recordings_days, messages_days = excluded.messages_days,
             revision = r.revision + 1, updated_at = clock_timestamp(), due_at = clock_timestamp()
             where r.revision = $2::integer
           returning ${columns}`,
    values: [organizationId, revision, days.callsDays, days.contentDays, days.recordingsDays, days.messagesDays],
  });
  return retentionOf(rows[0]);
}

export type RetentionRule = 'calls' | 'content' | 'recordings' | 'messages';

/** The records that a rule examines in one step: the next ones, or ones that it skipped earlier. */
export interface RetentionPage {
  /** The id of the last record examined; undefined if there was none. */
  readonly last: string | undefined;
  readonly due: readonly string[];
  /** Records that are not over, or not old enough yet. */
  readonly early: readonly string[];
}

interface PageRow {
  readonly last: string | null;
  readonly due: string[] | null;
  readonly early: string[] | null;
}

const pageOf = ({ rows: [row] }: { readonly rows: readonly PageRow[] }): RetentionPage => ({
  last: row?.last ?? undefined,
  due: row?.due ?? [],
  early: row?.early ?? [],
});

const page = (id: string): string => `max(${id}) as last,
  array_agg(${id} order by ${id}) filter (where due) as due, array_agg(${id} order by ${id}) filter (where not due) as early`;

const dueCall = `status in ${overStatuses} and updated_at < now() - make_interval(days => $3) as due`;
const dueMessage = `updated_at < now() - make_interval(days => $3)
  and not exists (select 1 from message_jobs j where j.organization_id = $1 and j.message_id = m.message_id) as due`;

/** The next calls in id order, as long as they are old enough: an id begins with its creation time. */
export async function oldCalls(
  db: Queryable,
  organizationId: string,
  after: string,
  days: number,
  limit: number,
): Promise<RetentionPage> {
  return pageOf(
    await db.query<PageRow>({
      name: 'retention-old-calls',
      text: `select ${page('call_id')} from (
               select call_id, ${dueCall} from calls
               where organization_id = $1 and call_id > $2
                 and call_id < ring_id_at('call', now() - make_interval(days => $3))
               order by call_id limit $4) old`,
      values: [organizationId, after, days, limit],
    }),
  );
}

export async function oldMessages(
  db: Queryable,
  organizationId: string,
  after: string,
  days: number,
  limit: number,
): Promise<RetentionPage> {
  return pageOf(
    await db.query<PageRow>({
      name: 'retention-old-messages',
      text: `select ${page('message_id')} from (
               select message_id, ${dueMessage} from messages m
               where organization_id = $1 and message_id > $2
                 and message_id < ring_id_at('msg', now() - make_interval(days => $3))
               order by message_id limit $4) old`,
      values: [organizationId, after, days, limit],
    }),
  );
}

/** Calls that a rule skipped earlier. */
export async function leftCalls(
  db: Queryable,
  organizationId: string,
  rule: RetentionRule,
  days: number,
): Promise<RetentionPage> {
  return pageOf(
    await db.query<PageRow>({
      name: 'retention-left-calls',
      text: `select ${page('call_id')} from (
               select call_id, ${dueCall} from retention_left l join calls c on c.call_id = l.resource_id
               where l.organization_id = $1 and l.rule = $2 and c.organization_id = $1) old`,
      values: [organizationId, rule, days],
    }),
  );
}

export async function leftMessages(
  db: Queryable,
  organizationId: string,
  rule: RetentionRule,
  days: number,
): Promise<RetentionPage> {
  return pageOf(
    await db.query<PageRow>({
      name: 'retention-left-messages',
      text: `select ${page('message_id')} from (
               select message_id, ${dueMessage}
               from retention_left l join messages m on m.message_id = l.resource_id
               where l.organization_id = $1 and l.rule = $2 and m.organization_id = $1) old`,
      values: [organizationId, rule, days],
    }),
  );
}

/** The position from which a rule continues; empty: from the oldest record. */
export async function retentionPosition(db: Queryable, organizationId: string, rule: RetentionRule): Promise<string> {
  const { rows } = await db.query<{ position: string }>({
    name: 'retention-position',
    text: 'select position from retention_positions where organization_id = $1 and rule = $2',
    values: [organizationId, rule],
  });
  return rows[0]?.position ?? '';
}

/** Stores the position of a rule, the records that it skipped, and removes previously skipped records that are done. */
export async function noteRetention(
  tx: Queryable,
  organizationId: string,
  rule: RetentionRule,
  {
    position,
    early,
    through,
  }: { readonly position?: string; readonly early: readonly string[]; readonly through: readonly string[] },
): Promise<void> {
  await tx.query({
    name: 'retention-note',
    text: `with there as (
        insert into retention_positions (organization_id, rule, position) select $1, $2, $3 where $3::text is not null
        on conflict (organization_id, rule) do update set position = excluded.position),
      later as (
        insert into retention_left (organization_id, rule, resource_id) select $1, $2, unnest($4::text[]) on conflict do nothing)
      delete from retention_left where organization_id = $1 and rule = $2 and resource_id = any($5::text[])`,
    values: [organizationId, rule, position ?? null, early, through],
  });
}

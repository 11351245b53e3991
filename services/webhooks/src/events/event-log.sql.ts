import type { Queryable } from '@parley/runtime';

export interface LoggedEventRow {
  /** Its place in the organization's log. */
  readonly log_seq: string;
  readonly type: string;
  /** The exact text that was published. */
  readonly payload: string;
}

export interface LogPage {
  readonly types: readonly string[];
  /** The last number seen; 0: from the oldest. */
  readonly after: number;
  readonly limit: number;
  /** Events after this many bytes are left for the next page; the first is always given. */
  readonly maxBytes: number;
}

/** The last number of an organization's log; whatever is committed later gets a higher one. */
export async function headOf(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await db.query<{ last_seq: string }>({
    name: 'event-log-head',
    text: 'select last_seq from event_heads where organization_id = $1',
    values: [organizationId],
  });
  return Number(rows[0]?.last_seq ?? 0);
}

/** The next events of some types, in the order of the log, and whether there are more of them. */
export async function readLog(
  db: Queryable,
  organizationId: string,
  { types, after, limit, maxBytes }: LogPage,
): Promise<{ rows: LoggedEventRow[]; hasMore: boolean }> {
  const { rows } = await db.query<LoggedEventRow & { found: number }>({
    name: 'event-log-read',
    text: `with found as (
        select next.log_seq, next.id from unnest($2::text[]) as wanted (type)
        cross join lateral (
          select log_seq, id from events
          where organization_id = $1 and events.type = wanted.type and log_seq > $3 order by log_seq limit $4) next
        order by next.log_seq limit $4),
      measured as (
        select events.log_seq, events.type, events.payload, count(*) over ()::integer as found,
          row_number() over (order by events.log_seq) as nth,
          sum(octet_length(events.payload)) over (order by events.log_seq) as bytes
        from found join events on events.id = found.id and events.organization_id = $1)
      select log_seq, type, payload, found from measured
      where nth = 1 or (bytes <= $5 and nth < $4) order by log_seq`,
    values: [organizationId, types, after, limit + 1, maxBytes],
  });
  return { rows, hasMore: (rows[0]?.found ?? 0) > rows.length };
}

/** The number of an event in the log; undefined when it is not there. */
export async function placeOfEvent(db: Queryable, organizationId: string, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ log_seq: string | null }>({
    name: 'event-log-place',
    text: 'select log_seq from events where organization_id = $1 and id = $2',
    values: [organizationId, id],
  });
  const place = rows[0]?.log_seq ?? undefined;
  return place === undefined ? undefined : Number(place);
}

/**
 * The number just before the first event that was made at or after an id of that time; undefined: none was. Ids and
 * numbers are not in the same order to the millisecond: the lowest of the next thousand is taken.
 */
export async function placeBefore(db: Queryable, organizationId: string, leastId: string): Promise<number | undefined> {
  const { rows } = await db.query<{ place: string | null }>({
    name: 'event-log-place-before',
    text: `select min(log_seq) - 1 as place from (
        select log_seq from events where organization_id = $1 and id >= $2 order by id limit 1000) next`,
    values: [organizationId, leastId],
  });
  const place = rows[0]?.place ?? undefined;
  return place === undefined ? undefined : Number(place);
}

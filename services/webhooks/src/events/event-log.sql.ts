import type { Queryable } from '@parley/runtime';

export interface LoggedEventRow {
  /** The position of the event in the organization's log. */
  readonly log_seq: string;
  readonly type: string;
  /** The exact text as published. */
  readonly payload: string;
}

export interface LogPage {
  readonly types: readonly string[];
  /** A filter each; empty for none. */
  readonly agentId: string;
  readonly resourceId: string;
  /** The last position already read; 0: start with the oldest event. */
  readonly after: number;
  readonly limit: number;
  /** Size limit of a page in bytes; the first event is always returned. */
  readonly maxBytes: number;
}

/** The last position of an organization's log. Events committed later get higher positions. */
export async function readHead(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await db.query<{ last_seq: string }>({
    name: 'event-log-head',
    text: 'select last_seq from event_heads where organization_id = $1',
    values: [organizationId],
  });
  return Number(rows[0]?.last_seq ?? 0);
}

/** Separates payloads. JSON text cannot contain this character unescaped. */
const separator = '\u001e';

interface JoinedPage {
  readonly places: string | null;
  readonly types: string;
  readonly lengths: string;
  readonly payloads: string;
}

/**
 * The next events of the given types in the order of the log, and whether there are more. The database joins a page into one row, because that costs this
 * process less than a row per event. Payloads larger than their share of the page are fetched by a second query if they fit into the page.
 */
export async function readLog(
  db: Queryable,
  organizationId: string,
  { types, agentId, resourceId, after, limit, maxBytes }: LogPage,
): Promise<{ rows: LoggedEventRow[]; hasMore: boolean }> {
  const share = Math.floor(maxBytes / (limit + 1));
  const filters = [
    ['agent_id', agentId],
    ['resource_id', resourceId],
  ].filter(([, value]) => value !== '');
  const { rows } = await db.query<JoinedPage>({
    name: ['event-log-read', ...filters.map(([column]) => column)].join('-'),
    text: `select string_agg(log_seq::text, ',') as places, string_agg(type, ',') as types,
        string_agg(octet_length(payload)::text, ',') as lengths,
        string_agg(case when octet_length(payload) <= $5 then payload else '' end, chr(30)) as payloads
      from (
        select found.log_seq, found.type, held.payload from (
          select next.log_seq, wanted.type from unnest($2::text[]) as wanted (type)
          cross join lateral (
            select log_seq from events
            where organization_id = $1 and events.type = wanted.type and log_seq > $3
              ${filters.map(([column], index) => `and events.${column} = $${index + 6} and events.${column} <> ''`).join(' ')}
            order by log_seq limit $4) next
          order by next.log_seq limit $4) found
        cross join lateral (
          select payload from events
          where organization_id = $1 and events.type = found.type and events.log_seq = found.log_seq limit 1) held
        order by found.log_seq) as page`,
    values: [organizationId, types, after, limit + 1, share, ...filters.map(([, value]) => value)],
  });
  const [joined] = rows;
  if (typeof joined?.places !== 'string') return { rows: [], hasMore: false };
  const lengths = joined.lengths.split(',').map(Number);
  const count = fitting(lengths.slice(0, limit), maxBytes);
  const texts = joined.payloads.split(separator);
  const names = joined.types.split(',');
  const page = joined.places.split(',').slice(0, count);
  const heavy = page
    .map((place, index) => ({ place, type: names[index] ?? '' }))
    .filter((_, index) => (lengths[index] ?? 0) > share);
  const payloads = heavy.length === 0 ? undefined : await payloadsAt(db, organizationId, heavy);
  return {
    rows: page.map((place, index) => ({
      log_seq: place,
      type: names[index] ?? '',
      payload: payloads?.get(place) ?? texts[index] ?? '',
    })),
    hasMore: lengths.length > count,
  };
}

/** How many of the first payloads fit within the limit; at least one. */
function fitting(lengths: readonly number[], maxBytes: number): number {
  let bytes = 0;
  const first = lengths.findIndex((length, place) => (bytes += length) > maxBytes && place > 0);
  return first === -1 ? lengths.length : first;
}

/** The payloads at these positions of the log. */
export async function payloadsAt(
  db: Queryable,
  organizationId: string,
  wanted: readonly { readonly place: string; readonly type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ log_seq: string; payload: string }>({
    name: 'event-log-payloads',
    text: `select found.log_seq, found.payload from unnest($2::text[], $3::bigint[]) as wanted (type, log_seq)
      cross join lateral (
        select events.log_seq, payload from events
        where organization_id = $1 and events.type = wanted.type and events.log_seq = wanted.log_seq limit 1) found`,
    values: [organizationId, wanted.map(({ type }) => type), wanted.map(({ place }) => place)],
  });
  return new Map(rows.map((row) => [row.log_seq, row.payload]));
}

/** The position of an event in the log; undefined if it is not there. */
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
 * The position directly before the first event created at or after the time contained in `leastId`; undefined if there is none. Within milliseconds, ids and
 * positions may be in a different order, so the lowest position of the next thousand ids is used.
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

import { poller, type Background, type Logger, type Queryable } from '@parley/runtime';

export interface PruneOptions {
  /**
   * An SQL condition that is true while the record of a stored row exists, such as `exists (select 1 from agent_endpoints e where e.id =
   * idempotency.record_id)`.
   */
  readonly recordExists: string;
  /** At least 24: how long a response is stored after its record was deleted. */
  readonly hours?: number;
  /** Rows examined per call, so that no statement takes long. */
  readonly batch?: number;
  /** Where the previous call ended; absent: at the oldest. */
  readonly after?: PrunePosition;
}

/** A position among the stored rows, oldest first. */
export interface PrunePosition {
  readonly createdAt: string;
  readonly key: string;
}

export interface Pruned {
  readonly removed: number;
  /** Where to continue; undefined at the end. */
  readonly next: PrunePosition | undefined;
}

const leastHours = 24;
const batchRows = 1_000;

/**
 * Looks at the next rows that are old enough and forgets those whose record is gone; rows without a record id are kept. A walk and
 * not a search for what is gone: where records stay, there is nothing to find, and looking for it would read the whole table.
 */
export async function prune(db: Queryable, options: PruneOptions): Promise<Pruned> {
  const { hours = leastHours, batch = batchRows, after } = options;
  const { rows } = await db.query<{ removed: string; seen: string; created_at: string; key: string }>({
    text: `with seen as materialized (
             select organization_id, route, key, created_at from idempotency
             where (created_at, key) > ($3::timestamptz, $4::text)
               and created_at < now() - make_interval(hours => $1::integer)
             order by created_at, key limit $2
           ), gone as (
             delete from idempotency using seen
             where idempotency.organization_id = seen.organization_id and idempotency.route = seen.route
               and idempotency.key = seen.key and idempotency.record_id <> '' and not (${options.recordExists})
             returning 1
           )
           select (select count(*) from gone) as removed, (select count(*) from seen) as seen,
             last.created_at::text as created_at, last.key
           from (select created_at, key from seen order by created_at desc, key desc limit 1) as last`,
    values: [Math.max(hours, leastHours), batch, after?.createdAt ?? '-infinity', after?.key ?? ''],
  });
  const [row] = rows;
  if (row === undefined) return { removed: 0, next: undefined };
  const more = Number(row.seen) >= batch;
  return { removed: Number(row.removed), next: more ? { createdAt: row.created_at, key: row.key } : undefined };
}

export interface PrunerOptions {
  readonly db: Queryable;
  readonly log: Logger;
  /**
   * By the prefix of a record's id (`call` for `call_...`): an SQL condition that is true while that record exists. Responses for other kinds of records are
   * kept.
   */
  readonly recordExists: Readonly<Record<string, string>>;
}

const everyMs = 3_600_000;
const stepsOfARun = 100;

/** Prunes a service's stored responses hourly, continuing from the previous position by at most 100,000 rows; at the end it starts over. */
export function idempotencyPruner({ db, log, recordExists }: PrunerOptions): Background {
  const condition = existsByPrefix(recordExists);
  let after: PrunePosition | undefined;
  return poller({
    name: 'idempotency-pruner',
    everyMs,
    log,
    run: async (signal) => {
      for (let step = 0; step < stepsOfARun && !signal.aborted; step += 1) {
        const { next } = await prune(db, { recordExists: condition, after });
        after = next;
        if (next === undefined) return;
      }
    },
  });
}

/** One condition over all kinds of records. */
export function existsByPrefix(recordExists: Readonly<Record<string, string>>): string {
  const cases = Object.entries(recordExists).map(([prefix, condition]) => `when '${prefix}' then ${condition}`);
  return `case split_part(idempotency.record_id, '_', 1) ${cases.join(' ')} else true end`;
}

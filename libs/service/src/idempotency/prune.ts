import { poller, type Background, type Logger, type Queryable } from '@parley/runtime';

export interface PruneOptions {
  /**
   * An SQL condition that is true while the record of a stored response exists, such as `exists (select 1 from agent_endpoints e where e.id =
   * idempotency.record_id)`.
   */
  readonly recordExists: string;
  /** How many hours old a response must be before it can be deleted; at least 24. */
  readonly hours?: number;
  /** Number of rows examined per call, so that each statement is short. */
  readonly batch?: number;
  /** Where the previous call ended; absent: start with the oldest row. */
  readonly after?: PrunePosition;
}

/** A position among the stored responses, oldest first. */
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
 * Examines the next responses that are old enough and deletes those whose record no longer exists; responses without a record id are kept. It walks through the
 * rows instead of searching for those to delete, because if records are never deleted, a search would read the whole table and find nothing.
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
   * By the prefix of a record's id (`call` for `call_...`): an SQL condition that is true while the record exists. Responses for other kinds of records are
   * kept.
   */
  readonly recordExists: Readonly<Record<string, string>>;
}

const everyMs = 3_600_000;
const stepsOfARun = 100;

/**
 * Deletes a service's outdated stored responses once per hour. Each run continues from the previous position with at most 100,000 rows; at the end it starts
 * over.
 */
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

/** Combines the conditions of all kinds of records into one. */
export function existsByPrefix(recordExists: Readonly<Record<string, string>>): string {
  const cases = Object.entries(recordExists).map(([prefix, condition]) => `when '${prefix}' then ${condition}`);
  return `case split_part(idempotency.record_id, '_', 1) ${cases.join(' ')} else true end`;
}

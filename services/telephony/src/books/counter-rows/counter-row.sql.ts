import { LRUCache } from 'lru-cache';
import { systemClock } from '@parley/runtime';

/**
 * How an organization's counter row (`organization_controls`) is found. Each call updates the row several times. While a transaction keeps an old snapshot, the
 * replaced versions cannot be removed, and a look-up by the primary key visits all of them: 120,000 in two hours of a thousand concurrent calls.
 * Therefore each update sets the row's `era` to the current two seconds, and statements find the row in an index by organization and era, from an era that this
 * process has read. That index has separate entries for each era, so only the versions of the newest eras are visited. ADR 133 has the measurements.
 */
const eras = new LRUCache<string, KnownEra>({ max: 10_000 });

interface KnownEra {
  /** Statements search from this era on. */
  readonly era: number;
  /** A later era that was read, perhaps from a transaction that has not committed yet. */
  readonly later: number;
  /** When `later` was read first, by the monotonic clock. */
  readonly readAtMs: number;
}

/**
 * After this time a later era is used. Before, the transaction that wrote it may still be in progress, and other transactions would not find the version of the
 * row that they can see.
 */
const settledMs = 2_000;

/** The era from which the row of an organization is searched; 0 if this process has not read the row yet. */
export const eraOf = (organizationId: string): number => eras.get(organizationId)?.era ?? 0;

/** Remembers the era of a row that was read; undefined: the row was not found. */
export function noteEra(organizationId: string, era: number | undefined, nowMs = systemClock.monotonicMs()): void {
  const known = eras.get(organizationId);
  if (era === undefined) eras.delete(organizationId);
  else if (known === undefined) eras.set(organizationId, { era, later: era, readAtMs: nowMs });
  else if (era < known.later) {
    // The transaction that wrote the later era was rolled back, or has not committed yet.
    eras.set(organizationId, { era: Math.min(known.era, era), later: era, readAtMs: nowMs });
  } else if (era > known.era && nowMs - known.readAtMs >= settledMs) {
    eras.set(organizationId, { era: known.later, later: era, readAtMs: nowMs });
  }
}

/**
 * SQL condition that finds a counter row in its index. The statement must also compare `organization_id`, but as `(… = …) is true`: otherwise PostgreSQL uses
 * the primary key.
 * @param row the alias of the table
 * @param organizationId an SQL expression
 * @param era an SQL expression: the result of `eraOf`
 */
export const inEra = (row: string, organizationId: string, era: string): string =>
  `(${row}.organization_id || '') = ${organizationId} and ${row}.era >= ${era}`;

/** The era of a time: an SQL expression. An era lasts two seconds; until 2106 its number since 1970 is an integer. */
const eraAt = (time: string): string => `(extract(epoch from ${time}) / 2)::integer`;

/** SQL assignment that every update of the row contains. An era never decreases, even if the clock is set back. */
export const nextEra = (row: string): string => `era = greatest(${row}.era, ${eraAt('clock_timestamp()')})`;

/** A row that a statement returns. */
interface ReadRow {
  /** The era of the counter row; null: the statement did not find the counter row. */
  readonly era: number | null;
}

/**
 * Runs a statement that finds or updates an organization's counter row. If it does not find the row, it is repeated for all eras. That happens if the row was
 * created again, or if the transaction that wrote the era read last was rolled back.
 * @param run executes the statement from an era on
 */
export async function atCounterRow<Row extends ReadRow>(
  organizationId: string,
  run: (era: number) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const from = eraOf(organizationId);
  let row = await run(from);
  if (from > 0 && !isFound(row)) row = await run(0);
  noteEra(organizationId, isFound(row) ? row.era : undefined);
  return row;
}

const isFound = (row: ReadRow | undefined): row is { era: number } => typeof row?.era === 'number';

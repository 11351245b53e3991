import {
  databaseNow,
  poller,
  type Background,
  type Database,
  type Logger,
  type Queryable,
  type Registry,
} from '@parley/runtime';
import { Counter, Gauge } from 'prom-client';

/** A table that is partitioned by time; see sql/rings.sql. */
export interface Ring {
  readonly table: string;
  /** The prefix of the ids by which the table is partitioned; absent: it is partitioned by a timestamp. */
  readonly idPrefix?: string;
  /** How many periods (days) are kept in addition to the current one. */
  readonly kept: number;
  /** A column that is null as long as its row must be kept, however old the row is. */
  readonly neededWhileNull?: string;
  /** Fill factor of pages in percent; default 100. */
  readonly fillfactor?: number;
}

/**
 * The outbox as a ring. A stream keeps events for seven days, and events that it loses are published again from this table; one more day is kept because only
 * whole partitions are dropped. Events that were never published are kept.
 */
export const outboxRing: Ring = { table: 'outbox', kept: 8, neededWhileNull: 'published_at' };

export interface PartitionKeeperOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly rings: readonly Ring[];
  readonly metrics?: Registry;
  /** Duration of a period in seconds; default 86 400: a day in UTC. */
  readonly periodSeconds?: number;
  /** Milliseconds between two rounds; default 60 000. */
  readonly everyMs?: number;
  /** This process's clock. It is compared with the database's clock before anything is dropped. */
  readonly now?: () => number;
}

/** For how many periods partitions are created in advance. */
const periodsAhead = 3;

/** Maximum of rows that a statement moves from the default partition into a new one. If there are more, they remain there until they expire. */
const mostMoved = 10_000;

/** Maximum of rows of the default partition deleted per statement. */
const stepRows = 5_000;
const mostSteps = 20;

/** Attempts to get a contended lock; after that, the next round tries again. */
const tries = { times: 5, pauseMs: 50 } as const;
const lockNotAvailable = '55P03';

interface Part {
  readonly part: string;
  readonly starts: Date | null;
  readonly ends: Date | null;
}

/**
 * Maintains rings: creates partitions in advance and drops expired ones. Every replica runs one; an advisory lock ensures that only one is active. It never
 * waits longer than a tenth of a second for a lock, and nothing waits for it.
 */
class PartitionKeeper {
  private readonly periodMs: number;
  private readonly failures: Counter<'table'> | undefined;
  private readonly overdue: Gauge<'table'> | undefined;
  private readonly ahead: Gauge<'table'> | undefined;

  constructor(private readonly options: PartitionKeeperOptions) {
    this.periodMs = (options.periodSeconds ?? 86_400) * 1000;
    const { metrics } = options;
    if (metrics === undefined) return;
    const shape = { labelNames: ['table'] as const, registers: [metrics] };
    this.failures = new Counter({
      ...shape,
      name: 'parley_partition_maintenance_failures_total',
      help: 'Rounds in which partitions of a table could not be created or dropped',
    });
    // Initialized to 0, because otherwise the first failure would create the series, and alerts would see no increase.
    for (const { table } of options.rings) this.failures.inc({ table }, 0);
    this.overdue = new Gauge({
      ...shape,
      name: 'parley_partitions_overdue',
      help: 'Partitions past their retention that could not be dropped; the next round tries again',
    });
    this.ahead = new Gauge({
      ...shape,
      name: 'parley_partitions_ahead',
      help: 'Periods after the current one for which a table has partitions',
    });
  }

  /**
   * One round over all rings; errors are collected and thrown at the end. Only the first round, which runs before this process serves requests, creates the
   * partition of the current period: inserts wait while its rows are moved out of the default partition.
   */
  async round(signal: AbortSignal, first = false): Promise<void> {
    const { db, rings, now = Date.now } = this.options;
    const before = now();
    const time = (await databaseNow(db)).getTime();
    // If the two clocks differ, one of them has jumped, and nothing is dropped.
    const trusted = Math.abs(time - (before + now()) / 2) < this.periodMs / 2;
    const failures: unknown[] = [];
    for (const ring of rings) {
      if (signal.aborted) return;
      const failed = failures.length;
      if (!trusted) this.options.log.warn({ ring: ring.table }, 'the clocks differ: nothing is dropped');
      await this.extend(ring, time, first ? 0 : 1).catch((error: unknown) => failures.push(error));
      if (trusted) await this.forget(ring, time).catch((error: unknown) => failures.push(error));
      if (failures.length > failed) this.failures?.inc({ table: ring.table });
    }
    if (failures.length > 0) throw new AggregateError(failures, 'the partitions of a table could not be maintained');
  }

  private async extend({ table, idPrefix = '', fillfactor = 100 }: Ring, time: number, from: number): Promise<void> {
    const current = Math.floor(time / this.periodMs) * this.periodMs;
    let ahead = from - 1;
    let failure: unknown;
    for (let period = from; period <= periodsAhead; period += 1) {
      const starts = new Date(current + period * this.periodMs);
      const ends = new Date(current + (period + 1) * this.periodMs);
      try {
        const made = await patiently(() => extend(this.options.db, table, idPrefix, starts, ends, fillfactor));
        if (made === 'made') this.options.log.info({ ring: table, starts }, 'created a partition');
        if (made === 'left')
          this.options.log.warn({ ring: table, starts }, 'the rows of a period remain in the default partition');
        if (ahead === period - 1) ahead = period;
      } catch (error) {
        failure ??= error;
      }
    }
    this.ahead?.set({ table }, Math.max(0, ahead));
    if (failure !== undefined) throw new Error(`no partition was added to ${table}`, { cause: failure });
  }

  private async forget(ring: Ring, time: number): Promise<void> {
    const { db, log } = this.options;
    const before = new Date((Math.floor(time / this.periodMs) - ring.kept) * this.periodMs);
    const parts = await listPartitions(db, ring.table);
    let overdue = 0;
    let failure: unknown;
    for (const { part, ends } of parts) {
      if (ends === null || ends > before) continue;
      try {
        const gone = await patiently(() => drop(db, ring.table, part, before, ring.neededWhileNull ?? ''));
        if (gone === 'dropped') log.info({ ring: ring.table, part }, 'dropped a partition');
      } catch (error) {
        overdue += 1;
        failure ??= error;
      }
    }
    this.overdue?.set({ table: ring.table }, overdue);
    const stray = parts.find(({ starts }) => starts === null);
    if (stray !== undefined) await forgetStrays(db, ring, stray.part, before);
    if (failure !== undefined) throw new Error(`a partition of ${ring.table} was not dropped`, { cause: failure });
  }
}

/** Retries for a short time while another session has the lock. */
async function patiently(work: () => Promise<string>): Promise<string> {
  for (let time = 1; ; time += 1) {
    try {
      const done = await work();
      if (done !== 'busy' || time === tries.times) return done;
    } catch (error) {
      if (time === tries.times || (error as { code?: unknown }).code !== lockNotAvailable) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, tries.pauseMs * time));
  }
}

async function extend(db: Queryable, table: string, prefix: string, from: Date, to: Date, fill: number) {
  const { rows } = await db.query<{ done: string }>({
    text: 'select ring_extend($1, $2, $3, $4, $5, $6) as done',
    values: [table, prefix, from, to, mostMoved, fill],
  });
  return rows[0]?.done ?? '';
}

/** Drops a partition in a single statement, which the server commits even if this process dies. */
async function drop(db: Queryable, table: string, part: string, before: Date, needed: string) {
  const { rows } = await db.query<{ done: string }>({
    text: 'select ring_drop($1, $2, $3, $4) as done',
    values: [table, part, before, needed],
  });
  return rows[0]?.done ?? '';
}

async function listPartitions(db: Queryable, table: string): Promise<Part[]> {
  const { rows } = await db.query<Part>({
    text: `select part, nullif(starts, '-infinity') as starts, ends from ring_parts($1) order by ends nulls last`,
    values: [table],
  });
  return rows;
}

/** Deletes expired rows of the default partition. */
async function forgetStrays(db: Queryable, ring: Ring, stray: string, before: Date): Promise<void> {
  const { rows: keys } = await db.query<{ key: string; type: string }>({
    text: `select quote_ident(a.attname) as key from pg_partitioned_table t
      join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0] where t.partrelid = to_regclass($1)`,
    values: [ring.table],
  });
  const key = keys[0]?.key ?? '';
  const bound = ring.idPrefix === undefined ? '$1::timestamptz' : `ring_id_at('${ring.idPrefix}', $1::timestamptz)`;
  const needed = ring.neededWhileNull === undefined ? '' : ` and ${ring.neededWhileNull} is not null`;
  for (let step = 0; step < mostSteps; step += 1) {
    const { rowCount } = await db.query({
      text: `delete from ${stray} where ctid = any(array(
        select ctid from ${stray} where ${key} < ${bound}${needed} limit ${stepRows} for update skip locked))`,
      values: [before],
    });
    if (rowCount < stepRows) return;
  }
}

/** How long a starting service waits at most for the current partitions. */
const firstRoundMs = 5_000;

/** Maintains the partitions of a service, independently of its requests, consumers and relay. It is started before them. */
export function partitionKeeper(options: PartitionKeeperOptions): Background {
  const keeper = new PartitionKeeper(options);
  const rounds = poller({
    name: 'partition-keeper',
    everyMs: options.everyMs ?? 60_000,
    log: options.log,
    run: (signal) => keeper.round(signal),
  });
  return {
    name: rounds.name,
    async start() {
      const patience = AbortSignal.timeout(firstRoundMs);
      const late = new Promise<void>((resolve) => patience.addEventListener('abort', () => resolve()));
      const first = keeper
        .round(patience, true)
        .catch((error: unknown) => options.log.error({ err: error }, 'background task failed'));
      await Promise.race([first, late]);
      await rounds.start();
    },
    stop: () => rounds.stop(),
  };
}

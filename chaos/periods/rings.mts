import type pg from 'pg';
import type { OldEventFiller } from '../events/old-events.mts';
import { makePartition, type OldEvents } from '../events/old-events.mts';

/** Seconds that stand for a day: a ring keeper's rounds are a minute apart. */
export const periodSeconds = 60;
const periodMs = periodSeconds * 1000;

/**
 * The rings that an event passes, with the periods that each keeps before the present one (outboxRing in libs/outbox, `rings` in services/webhooks).
 * The oldest partition is there until all of it is too old.
 */
export const rings = [
  { name: 'telephony.outbox', idPrefix: '', kept: 8 },
  { name: 'webhooks.events', idPrefix: 'evt', kept: 35 },
  { name: 'webhooks.deliveries', idPrefix: 'evt', kept: 30 },
  { name: 'webhooks.attempts', idPrefix: '', kept: 30 },
] as const;

export interface Size {
  /** With indexes, over all partitions. */
  readonly megabytes: number;
  readonly rows: number;
}

export type Sizes = Readonly<Record<(typeof rings)[number]['name'], Size>>;

/**
 * Drops the partitions of whole days that a new installation has, as long as they are empty: they would take in all periods of the run. The keeper of
 * the ring makes those of the periods instead.
 */
export async function dropDays(db: pg.Client): Promise<void> {
  for (const { name } of rings) {
    const [schema, table] = name.split('.');
    const { rows } = await db.query<{ part: string }>(
      `select part from ${schema}.ring_parts($1) part where ends - starts >= interval '1 day' and isfinite(starts)`,
      [table],
    );
    for (const { part } of rows) {
      const { rowCount } = await db.query(`select from ${schema}."${part}" limit 1`);
      if (rowCount === 0) await db.query(`drop table ${schema}."${part}"`);
    }
  }
}

/** The number of the period that it is by the database's clock. */
export async function currentPeriod(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  return Math.floor((rows[0]?.now.getTime() ?? NaN) / periodMs);
}

/** What each ring takes, and what it holds. */
export async function sizesOf(db: pg.Client): Promise<Sizes> {
  const sizes: Record<string, Size> = {};
  for (const { name } of rings) {
    const [schema, table] = name.split('.');
    const { rows } = await db.query<{ bytes: string }>(
      // A partition may be dropped meanwhile.
      `select coalesce(sum(pg_total_relation_size(to_regclass(format('%I.%I', $1::text, part)))), 0) as bytes from ${schema}.ring_parts($2)`,
      [schema, table],
    );
    const { rows: counted } = await db.query<{ n: string }>(`select count(*) as n from ${name}`);
    sizes[name] = { megabytes: Math.round(Number(rows[0]?.bytes) / 10_000) / 100, rows: Number(counted[0]?.n) };
  }
  return sizes as Sizes;
}

/**
 * Fills every period before the current one that some ring still keeps, as if the installation had run for so long. Periods go on meanwhile,
 * and the filling follows them. Returns the serial number after the last event.
 */
export async function fillPast(
  db: pg.Client,
  filler: OldEventFiller,
  old: Omit<OldEvents, 'from' | 'to' | 'serial' | 'inOutbox'>,
  say: (line: string) => void,
): Promise<number> {
  const filled = new Set<number>();
  const most = Math.max(...rings.map(({ kept }) => kept + 1));
  let serial = 0;
  for (;;) {
    const current = await currentPeriod(db);
    const wanted = Array.from({ length: most }, (_, place) => current - most + place).find((one) => !filled.has(one));
    if (wanted === undefined) break;
    const [from, to] = [new Date(wanted * periodMs), new Date((wanted + 1) * periodMs)];
    const keeping = rings.filter(({ kept }) => current - wanted <= kept + 1);
    for (const { name, idPrefix } of keeping) await makePartition(db, name, idPrefix, from, to);
    const has = (name: string): boolean => keeping.some((ring) => ring.name === name);
    const { delivered, ...events } = old;
    await filler.fill({
      ...events,
      from,
      to,
      serial,
      inOutbox: has('telephony.outbox'),
      ...(has('webhooks.deliveries') && has('webhooks.attempts') && delivered !== undefined ? { delivered } : {}),
    });
    filled.add(wanted);
    serial += old.count;
    if (filled.size % 10 === 0) say(`filled ${filled.size} periods`);
  }
  await db.query('vacuum analyze telephony.outbox, webhooks.events, webhooks.deliveries, webhooks.attempts');
  return serial;
}

import type pg from 'pg';
import type { OldEventFiller } from '../events/old-events.mts';
import { makePartition, type OldEvents } from '../events/old-events.mts';

/** A period of this many seconds stands for a day: the job that maintains a ring of partitions runs once a minute. */
export const periodSeconds = 60;
const periodMs = periodSeconds * 1000;

/**
 * The rings of partitions through which an event passes, and how many periods before the current one each keeps (outboxRing in libs/outbox, `rings` in
 * services/webhooks). A partition is dropped only when all of it is too old.
 */
export const rings = [
  { name: 'telephony.outbox', idPrefix: '', kept: 8 },
  { name: 'webhooks.events', idPrefix: 'evt', kept: 35 },
  { name: 'webhooks.deliveries', idPrefix: 'evt', kept: 30 },
  { name: 'webhooks.attempts', idPrefix: '', kept: 30 },
] as const;

export interface Size {
  /** The size of all partitions, with their indexes. */
  readonly megabytes: number;
  readonly rows: number;
}

export type Sizes = Readonly<Record<(typeof rings)[number]['name'], Size>>;

/**
 * Drops the empty partitions of whole days in a new installation, because every period of the run would be stored in one of them. The ring's maintenance job
 * then creates partitions for the periods.
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

/** The number of the current period, by the database's clock. */
export async function currentPeriod(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  return Math.floor((rows[0]?.now.getTime() ?? NaN) / periodMs);
}

/** The size and the number of rows of each ring. */
export async function sizesOf(db: pg.Client): Promise<Sizes> {
  const sizes: Record<string, Size> = {};
  for (const { name } of rings) {
    const [schema, table] = name.split('.');
    const { rows } = await db.query<{ bytes: string }>(
      // to_regclass, because a partition may be dropped meanwhile.
      `select coalesce(sum(pg_total_relation_size(to_regclass(format('%I.%I', $1::text, part)))), 0) as bytes from ${schema}.ring_parts($2)`,
      [schema, table],
    );
    const { rows: counted } = await db.query<{ n: string }>(`select count(*) as n from ${name}`);
    sizes[name] = { megabytes: Math.round(Number(rows[0]?.bytes) / 10_000) / 100, rows: Number(counted[0]?.n) };
  }
  return sizes as Sizes;
}

/**
 * Fills every period before the current one that is within the retention of some ring, as if the installation had run that long. New periods that begin during
 * the fill are filled too.
 * @returns the serial number after the last event
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

import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { OldEventFiller } from './events/old-events.mts';
import { createdOf } from './events/streams.mts';
import { drain, type Drained } from './periods/burst.mts';
import { install, type Installation } from './periods/installation.mts';
import { currentPeriod, dropDays, fillPast, periodSeconds, rings, sizesOf, type Sizes } from './periods/rings.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { query, type World } from './webhooks/world.mts';

const events = 1_000_000;
const periods = 30;
const fewestPeriods = 3;
const burstsInPeriod = 4;
/** Maximum number of periods at the beginning and at the end of a run that are compared. */
const mostAtEdge = 10;
/** One event of this many is delivered to an endpoint. */
const deliveredEvery = 10;

/** The minimum publishing rate of the last periods, as a share of that of the first ones, and the maximum growth of the size of a row. */
const leastRate = 0.95;
const mostGrowth = 1.1;

interface Period {
  readonly rate: number;
  /** The rate of the reference platform, whose tables are new, in the same minute. */
  readonly reference: number;
  readonly seconds: number;
  readonly lost: number;
  readonly sizes: Sizes;
}

/**
 * A period of a minute stands for a day. The rings of partitions are filled as if the installation had run for weeks. Then, period after period, telephony's
 * relay publishes bursts of events through NATS to webhooks as fast as it can, while partitions are created and dropped. A reference platform on the same
 * machine, with new tables and real days, publishes the same bursts in turn. The rates are compared with those of the reference, so that other load of the
 * machine is not taken for ageing.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const reference = await install(say);
  try {
    const aged = await install(say, { RING_PERIOD_SECONDS: String(periodSeconds) });
    try {
      return await age(aged, reference, { scale, say });
    } finally {
      await aged.stop();
    }
  } finally {
    await reference.stop();
  }
}

async function age(
  { world, db, endpointId }: Installation,
  reference: Installation,
  { scale, say }: Pick<ScenarioOptions, 'scale' | 'say'>,
): Promise<ScenarioReport> {
  const { platform } = world;
  const days = Math.max(fewestPeriods, Math.round(periods * scale));
  const count = Math.round((events * scale) / days);
  const { organization_id: organizationId, project_id: projectId } = platform.development;
  await dropDays(db);
  const filler = new OldEventFiller(db, await createdOf(platform.file.nats_url, 'EVENTS'));
  const delivered = { endpointId, every: deliveredEvery };
  const serial = await fillPast(db, filler, { count, organizationId, projectId, type: 'sms.sent', delivered }, say);
  say(`the past is filled with ${serial} events; ${days} periods of ${count} events follow`);
  const young = { ...reference, serial: 0 };
  const old = { world, db, serial };
  const publish = async (at: { world: World; db: pg.Client; serial: number }, burst: number): Promise<Drained> => {
    const drained = await drain(at.world, at.db, { count: burst, serial: at.serial, every: deliveredEvery });
    at.serial += burst;
    return drained;
  };
  const period = async (): Promise<Period> => {
    const sizes = await sizesOf(db);
    const published: { readonly [side in 'old' | 'young']: Drained[] } = { old: [], young: [] };
    for (const [nth, burst] of burstsOf(count).entries()) {
      for (const side of nth % 2 === 0 ? (['young', 'old'] as const) : (['old', 'young'] as const)) {
        published[side].push(await publish(side === 'old' ? old : young, burst));
      }
    }
    return {
      rate: meanRate(published.old),
      reference: meanRate(published.young),
      seconds: published.old.reduce((sum, { seconds }) => sum + seconds, 0),
      lost: published.old.reduce((sum, { lost }) => sum + lost, 0),
      sizes,
    };
  };
  // The first period is not measured: endpoints are verified and code is compiled during it.
  await period();
  const first = old.serial;
  const arrivals = world.receiver.watch();
  const begun = await currentPeriod(db);
  const measured: Period[] = [];
  while (measured.length < days) {
    await nextPeriod(db);
    const next = await period();
    measured.push(next);
    say(JSON.stringify({ period: measured.length, ...rounded(next) }));
  }
  const passed = (await currentPeriod(db)) - begun;
  const lost = await lostOf(world, first, old.serial);
  return judge(measured, { passed, published: old.serial - first, lost, delivered: arrivals() });
}

/** Divides the events of a period into bursts, which the two platforms publish in turn. */
function burstsOf(count: number): number[] {
  const part = Math.floor(count / burstsInPeriod);
  return Array.from({ length: burstsInPeriod }, (_, nth) => (nth === 0 ? count - part * (burstsInPeriod - 1) : part));
}

/** The mean rate of bursts of about the same size: all events divided by the total time. */
const meanRate = (bursts: readonly Drained[]): number =>
  Math.round(bursts.length / bursts.reduce((sum, { rate }) => sum + 1 / rate, 0));

async function nextPeriod(db: pg.Client): Promise<void> {
  for (const current = await currentPeriod(db); (await currentPeriod(db)) === current;) await pause(200);
}

/** The number of published events that are missing in the event log, whose retention is longer than the run. */
async function lostOf(world: World, first: number, next: number): Promise<number> {
  const text = 'select count(*)::int as n from webhooks.events where right(id, 16)::bigint between $1 and $2';
  const [row] = await query<{ n: number }>(world, text, [first + 1, next]);
  return next - first - (row?.n ?? 0);
}

const rounded = ({ rate, reference, seconds, lost, sizes }: Period): object => ({
  'published/s': rate,
  'reference/s': reference,
  'drained after s': Number(seconds.toFixed(1)),
  lost,
  ...Object.fromEntries(
    Object.entries(sizes).flatMap(([name, { megabytes, rows }]) => [
      [`${name} MB`, megabytes],
      [`${name} rows`, rows],
    ]),
  ),
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/**
 * The maximum number of rows in a ring: the periods of its retention, the current one, and two more, because only complete partitions are dropped and the
 * maintenance job runs once per period.
 */
function mostRows(name: (typeof rings)[number]['name'], eventsOfPeriod: number): number {
  const kept = rings.find((ring) => ring.name === name)?.kept ?? 0;
  const each = name === 'telephony.outbox' || name === 'webhooks.events' ? 1 : 1 / deliveredEvery;
  // Includes the events of the first period, which is not measured. The events of the endpoints themselves are few.
  return Math.ceil((kept + 3) * eventsOfPeriod * each * 1.01);
}

/** Compares the first and the last periods. */
function judge(
  measured: readonly Period[],
  run: { passed: number; published: number; lost: number; delivered: object },
): ScenarioReport {
  const edge = Math.max(1, Math.min(mostAtEdge, Math.floor(measured.length / 3)));
  const ratio = (of: (period: Period) => number): number =>
    median(measured.slice(-edge).map(of)) / median(measured.slice(0, edge).map(of));
  const rate = ratio((period) => period.rate / period.reference);
  const growth = rings.map(({ name }) => ({
    name,
    growth: ratio(({ sizes }) => sizes[name].megabytes / sizes[name].rows),
    most: Math.max(...measured.map(({ sizes }) => sizes[name].rows)),
  }));
  const lost = run.lost + measured.reduce((sum, period) => sum + period.lost, 0);
  const row = {
    periods: run.passed,
    published: run.published,
    lost,
    ...run.delivered,
    'first/s': median(measured.slice(0, edge).map((period) => period.rate)),
    'last/s': median(measured.slice(-edge).map((period) => period.rate)),
    'last to first': Number(ratio((period) => period.rate).toFixed(3)),
    'last to first, each to its reference': Number(rate.toFixed(3)),
    ...Object.fromEntries(growth.map((ring) => [`${ring.name}, size of a row`, Number(ring.growth.toFixed(3))])),
  };
  return {
    tables: [
      { title: 'each period', rows: measured.map(rounded) },
      { title: `${periodSeconds} s are a day`, rows: [row] },
    ],
    broken: [
      ...(rate >= leastRate
        ? []
        : [`the last periods published at ${rate.toFixed(3)} of the first, each compared to its reference`]),
      ...growth
        .filter((ring) => !(ring.growth <= mostGrowth))
        .map((ring) => `a row of ${ring.name} took ${ring.growth.toFixed(3)} of what it took first`),
      ...growth
        .filter((ring) => ring.most > mostRows(ring.name, run.published / measured.length))
        .map((ring) => `${ring.name} held ${ring.most} rows`),
      ...(lost === 0 ? [] : [`${lost} events were lost`]),
    ],
  };
}

export const scenario: Scenario = {
  title: 'a day is a minute: thirty days of events through the relay, NATS and webhooks, on tables that are weeks old',
  run,
};

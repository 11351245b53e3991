import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { median } from '../bench/load.mts';
import { drain } from './periods/burst.mts';
import { install, type Installation } from './periods/installation.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { ageConsumers, ageSeconds, ageTelephony, deadRows } from './snapshot/age.mts';
import { instantNumber, prepare, request } from './telephony.mts';

/** Twenty calls a second of one organization, and their events. */
const calls = 20 * ageSeconds;
const events = 8 * calls;
/** One event of this many is delivered. */
const deliveredEvery = 4;

/** The minimum rate, as a share of the rate without the long transaction. */
const leastRate = 0.5;

const rounds = 9;
const callsOfRound = 400;
const eventsOfRound = 30_000;
const placers = 16;

interface Side extends Installation {
  readonly agentId: string;
  serial: number;
}

interface Rates {
  /** Calls accepted per second. */
  readonly admitted: number;
  /** Calls per second that were accepted, dialed and have ended. */
  readonly completed: number;
  readonly published: number;
  readonly lost: number;
}

/**
 * Two platforms on one machine get the same load in turn, after the same updates. In one of them a transaction has kept its snapshot open since
 * before the updates, so that vacuum could not remove any of the replaced row versions. SNAPSHOT_MINUTES is the time whose updates are executed, as fast as
 * PostgreSQL can.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const sides: Side[] = [];
  try {
    for (let n = 0; n < 2; n += 1) {
      const installation = await install(say);
      sides.push({ ...installation, agentId: '', serial: 0 });
      (sides[n] as { agentId: string }).agentId = await prepare(installation.world.platform);
    }
    const [plain, held] = sides as [Side, Side];
    return await compare(plain, held, { scale, say });
  } finally {
    for (const side of sides) await side.stop();
  }
}

async function compare(
  plain: Side,
  held: Side,
  { scale, say }: Pick<ScenarioOptions, 'scale' | 'say'>,
): Promise<ScenarioReport> {
  for (const side of [plain, held]) await rates(side, scale);
  const snapshot = new pg.Client({ connectionString: held.world.platform.file.database_url });
  await snapshot.connect();
  try {
    await snapshot.query('begin isolation level repeatable read');
    await snapshot.query('select count(*) from telephony.calls');
    const begun = performance.now();
    for (const side of [plain, held]) {
      await ageTelephony(side.db, side.world.platform.development.organization_id, Math.round(calls * scale));
      await ageConsumers(side.db, side.world.platform.development.organization_id, scale);
      await publish(side, Math.round(events * scale));
      say(`${side === held ? 'next to the snapshot' : 'without'}: aged after ${seconds(begun)} s`);
    }
    const deliveriesOf = [plain, held].map(({ world }) => world.receiver.watch());
    const measured: { plain: Rates; held: Rates }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? ([plain, held] as const) : ([held, plain] as const);
      const first = await rates(order[0], scale);
      const second = await rates(order[1], scale);
      measured.push(order[0] === plain ? { plain: first, held: second } : { plain: second, held: first });
      say(JSON.stringify(measured.at(-1)));
    }
    await pause(1_000);
    const dead = await deadRows(held.db);
    await snapshot.query('select count(*) from telephony.calls');
    const delivered = ['without', 'next to the snapshot'].map((side, n) => ({ side, ...deliveriesOf[n]?.() }));
    return judge(measured, dead, delivered);
  } finally {
    await snapshot.end();
  }
}

const seconds = (since: number): number => Math.round((performance.now() - since) / 1000);

async function publish(side: Side, count: number): Promise<{ rate: number; lost: number }> {
  const drained = await drain(side.world, side.db, { count, serial: side.serial, every: deliveredEvery });
  side.serial += count;
  return drained;
}

async function rates(side: Side, scale: number): Promise<Rates> {
  const { platform } = side.world;
  const wanted = Math.max(200, Math.round(callsOfRound * scale));
  const ids: string[] = [];
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: placers }, async () => {
      while (next++ < wanted) {
        const call = { agent_id: side.agentId, from: instantNumber, to: '+15005550006' };
        ids.push((await request(platform, 'POST', '/v1/calls', call)).call_id ?? '');
      }
    }),
  );
  const admitted = wanted / ((performance.now() - begun) / 1000);
  const over = `select count(*)::int as n from telephony.calls where call_id = any($1) and status = 'completed'`;
  let completedCalls = 0;
  for (const until = Date.now() + 300_000; completedCalls < wanted && Date.now() < until; await pause(50))
    completedCalls = (await side.db.query<{ n: number }>(over, [ids])).rows[0]?.n ?? 0;
  const completed = wanted / ((performance.now() - begun) / 1000);
  const published = await publish(side, Math.max(5_000, Math.round(eventsOfRound * scale)));
  return {
    admitted: Math.round(admitted),
    completed: Math.round(completed),
    published: published.rate,
    lost: wanted - completedCalls + published.lost,
  };
}

function judge(
  measured: readonly { plain: Rates; held: Rates }[],
  dead: readonly object[],
  delivered: readonly object[],
): ScenarioReport {
  const kinds = ['admitted', 'completed', 'published'] as const;
  const ratios = kinds.map((kind) => ({
    'a second': kind,
    without: median(measured.map(({ plain }) => plain[kind])),
    'next to the snapshot': median(measured.map(({ held }) => held[kind])),
    ratio: Number(median(measured.map(({ plain, held }) => held[kind] / plain[kind])).toFixed(2)),
  }));
  const lost = measured.reduce((sum, { plain, held }) => sum + plain.lost + held.lost, 0);
  return {
    tables: [
      {
        title: `next to a snapshot of ${ageSeconds / 60} minutes, medians of ${measured.length} pairs, ${lost} lost`,
        rows: ratios,
      },
      { title: 'deliveries while it was measured', rows: delivered },
      { title: 'what the snapshot keeps', rows: dead },
    ],
    broken: [
      ...ratios
        .filter(({ ratio }) => !(ratio >= leastRate))
        .map((one) => `${one['a second']}: ${one.ratio} of the rate`),
      ...(lost === 0 ? [] : [`${lost} calls or events were lost`]),
    ],
  };
}

export const scenario: Scenario = {
  title:
    'a transaction holds its snapshot for SNAPSHOT_MINUTES (30) of 20 calls a second; another platform takes the same without one',
  run,
};

import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { PostgresServer } from './postgres/server.mts';
import { killedAtWill, type Scenario, type ScenarioOptions, type ScenarioReport } from './scenario.mts';
import { brokenFacts, count, lostWorkers, placeAll, prepare, prepaidCustomer, settled } from './telephony.mts';
import { Watch } from './webhooks/watch.mts';

const calls = 600;
const placingMs = 60_000;
const diskMegabytes = 600;
/** How long the disk stays full: several attempts of each background task. */
const fullMs = 10_000;
const patienceMs = 600_000;

/**
 * The data of PostgreSQL is on a small file system of its own, in memory, which another file fills while calls are placed and in progress. Then the file is
 * deleted. PostgreSQL may end because it cannot write its log; then it is started again, as its supervisor would do. Needs the right to mount.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const disk = path.join(home, 'disk');
  mkdirSync(disk, { mode: 0o755 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'parley-chaos', disk]);
  let server: PostgresServer | undefined;
  let watch: Watch | undefined;
  try {
    server = await PostgresServer.create(path.join(disk, 'data'));
    await server.start();
    const env = { ...killedAtWill, DATABASE_URL: server.url };
    const platform = await startPlatform(path.join(home, 'platform'), env);
    try {
      const customer = await prepaidCustomer(platform);
      watch = await Watch.start(customer, say);
      const agentId = await prepare(customer);
      const wanted = Math.max(60, Math.round(calls * scale));
      const lasts = Math.max(20_000, placingMs * scale);
      const placing = placeAll(customer, agentId, wanted, lasts);
      // Awaited later: until then a refusal must not end this process, whose platform would go on.
      placing.catch(() => undefined);
      await pause(lasts / 2);
      const filler = path.join(disk, 'filler');
      fill(filler);
      say(`the disk is full: ${freeBytes(disk)} bytes are free`);
      const outcomes = new Map<string, number>();
      for (const until = Date.now() + fullMs; Date.now() < until; await pause(250)) {
        const outcome = await outcomeOf(server);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        // What was freed by a write that failed is taken again.
        fill(filler);
      }
      rmSync(filler);
      const ended = !server.isRunning;
      if (ended) await server.start();
      say(`there is space again${ended ? '; PostgreSQL had ended and was started again' : ''}`);
      const placed = await placing;
      const db = await settled(platform, placed, Date.now() + patienceMs);
      const facts = await count(db, customer.development.organization_id, [...placed]);
      await db.end();
      const watched = await watch.finish();
      const refused = [...outcomes].filter(([outcome]) => outcome !== 'written');
      return {
        tables: [
          { title: `${placed.size} calls, a full disk for ${fullMs / 1000} s`, rows: [{ ...facts, ...watched.row }] },
          {
            title: 'writes of eight megabytes while it was full',
            rows: [...outcomes].map(([outcome, times]) => ({ outcome, times })),
          },
        ],
        broken: [
          ...brokenFacts(facts, placed.size),
          ...lostWorkers(facts),
          ...watched.broken,
          ...(refused.length > 0 ? [] : ['no write failed: the disk was not full']),
        ],
      };
    } finally {
      watch?.stop();
      await platform.stop();
    }
  } finally {
    await server?.kill('SIGINT');
    execFileSync('umount', ['--lazy', disk]);
    forgetHome(home);
  }
}

/** Appends to a file until nothing fits. */
function fill(name: string): void {
  const file = openSync(name, 'a');
  const block = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** What happens to a write of eight megabytes: `written`, or the SQLSTATE or code of its error. */
async function outcomeOf(server: PostgresServer): Promise<string> {
  try {
    await server.query(`create temporary table big as select repeat('x', 1000) from generate_series(1, 8000)`);
    return 'written';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'the connection was lost';
  }
}

export const scenario: Scenario = {
  title: 'the disk of PostgreSQL is full while calls are placed and talked',
  run,
};

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { MovingAddress } from './postgres/address.mts';
import { PostgresServer } from './postgres/server.mts';
import { killedAtWill, type Scenario, type ScenarioOptions, type ScenarioReport } from './scenario.mts';
import { brokenFacts, count, lostWorkers, placeAll, prepare, prepaidCustomer, settled } from './telephony.mts';
import { Watch } from './webhooks/watch.mts';
import { within } from './webhooks/world.mts';

const calls = 600;
const placingMs = 60_000;
/** How long there is no database: the time that a failover takes to detect the failure and to decide. */
const awayMs = 10_000;
const patienceMs = 600_000;

/**
 * PostgreSQL has a standby by synchronous streaming replication (`synchronous_standby_names`): a commit is acknowledged only after it was sent to the standby.
 * The primary is killed with -9 while calls are placed and in progress, and is not started again. The standby is promoted and takes over the address.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const servers: PostgresServer[] = [];
  let address: MovingAddress | undefined;
  let watch: Watch | undefined;
  try {
    const primary = await PostgresServer.create(path.join(home, 'primary'));
    servers.push(primary);
    await primary.start();
    address = new MovingAddress(primary.port);
    const url = await address.start();
    const platform = await startPlatform(path.join(home, 'platform'), { ...killedAtWill, DATABASE_URL: url });
    try {
      primary.backUp(path.join(home, 'standby'), ['--write-recovery-conf']);
      const standby = await PostgresServer.of(path.join(home, 'standby'));
      // The name by which the primary knows it; the address is in postgresql.auto.conf, which pg_basebackup has written.
      standby.configure([`cluster_name = 'standby'`]);
      servers.push(standby);
      await standby.start();
      await primary.query(`alter system set synchronous_standby_names = 'standby'`);
      await primary.query('select pg_reload_conf()');
      const follows = `select 1 as one from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`;
      if (!(await within(60_000, async () => (await primary.query(follows)).length > 0)))
        throw new Error('the standby does not follow');
      const customer = await prepaidCustomer(platform);
      watch = await Watch.start(customer, say);
      const agentId = await prepare(customer);
      const wanted = Math.max(60, Math.round(calls * scale));
      const lasts = Math.max(20_000, placingMs * scale);
      const placing = placeAll(customer, agentId, wanted, lasts);
      // Awaited later: until then a refusal must not end this process, whose platform would go on.
      placing.catch(() => undefined);
      await pause(lasts / 2);
      await primary.kill();
      say('the primary is dead');
      await pause(awayMs);
      await standby.query('select pg_promote()');
      address.move(standby.port);
      say('the standby has its place');
      const placed = await placing;
      const db = await settled(platform, placed, Date.now() + patienceMs);
      const facts = await count(db, customer.development.organization_id, [...placed]);
      await db.end();
      const watched = await watch.finish();
      return {
        tables: [
          { title: `${placed.size} calls, one failover of ${awayMs / 1000} s`, rows: [{ ...facts, ...watched.row }] },
        ],
        broken: [...brokenFacts(facts, placed.size), ...lostWorkers(facts), ...watched.broken],
      };
    } finally {
      watch?.stop();
      await platform.stop();
    }
  } finally {
    address?.stop();
    for (const server of servers) await server.kill('SIGINT');
    forgetHome(home);
  }
}

export const scenario: Scenario = {
  title: 'PostgreSQL is killed with -9 while calls are placed and talked, and its synchronous standby takes its place',
  run,
};

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { PgBouncer } from './postgres/pgbouncer.mts';
import { PostgresServer } from './postgres/server.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { brokenFacts, count, lostWorkers, placeAll, prepare, prepaidCustomer, settled } from './telephony.mts';
import { Watch } from './webhooks/watch.mts';
import { within } from './webhooks/world.mts';

const calls = 600;
const placingMs = 60_000;
const patienceMs = 600_000;
/** Sessions of the server for each role: fewer than two processes of a service would open themselves. */
const sessions = 3;
const mostWhenIdle = 2;
/** Pools close a connection that was not needed for ten seconds. */
const idleWithinMs = 60_000;
const replicas = 2;

/**
 * A whole platform whose services reach PostgreSQL only through PgBouncer in transaction mode; migrations have the address of the server itself. Calls are
 * placed, and the sessions of the server are counted meanwhile. Afterwards, at rest, each process may hold two connections.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const server = await PostgresServer.create(path.join(home, 'server'));
  let bouncer: PgBouncer | undefined;
  let watch: Watch | undefined;
  try {
    await server.start();
    bouncer = await PgBouncer.start(path.join(home, 'bouncer'), server.port, sessions);
    const env = { DATABASE_URL: server.url, SERVICES_DATABASE_URL: bouncer.url, DATABASE_POOLER: 'transaction' };
    const platform = await startPlatform(path.join(home, 'platform'), env, replicas);
    try {
      const customer = await prepaidCustomer(platform);
      watch = await Watch.start(customer, say);
      const agentId = await prepare(customer);
      const placing = placeAll(customer, agentId, Math.max(40, Math.round(calls * scale)), placingMs * scale);
      const busy = new Map<string, { sessions: number; clients: number }>();
      let isPlacing = true;
      const counting = (async () => {
        while (isPlacing) {
          await pause(500);
          const [opened, clients] = await Promise.all([sessionsOf(server), bouncer.clients()]);
          for (const [role, n] of opened) {
            const before = busy.get(role) ?? { sessions: 0, clients: 0 };
            busy.set(role, {
              sessions: Math.max(before.sessions, n),
              clients: Math.max(before.clients, clients.get(role) ?? 0),
            });
          }
        }
      })();
      const placed = await placing;
      const db = await settled(platform, placed, Date.now() + patienceMs);
      isPlacing = false;
      await counting;
      const facts = await count(db, customer.development.organization_id, [...placed]);
      await db.end();
      const watched = await watch.finish();
      say('the calls are over');
      let idle: ReadonlyMap<string, number> = new Map();
      const atRest = await within(idleWithinMs, async () => {
        idle = (await bouncer?.clients()) ?? idle;
        return [...idle.values()].every((n) => n <= mostWhenIdle * replicas);
      });
      const roles = [...busy].sort(([one], [other]) => one.localeCompare(other));
      const over = roles.filter(([, most]) => most.sessions > sessions);
      return {
        tables: [
          { title: `${placed.size} calls behind PgBouncer`, rows: [{ ...facts, ...watched.row }] },
          {
            title: `connections of ${replicas} processes for each role`,
            rows: roles.map(([role, most]) => ({ role, ...most, 'clients at rest': idle.get(role) ?? 0 })),
          },
        ],
        broken: [
          ...brokenFacts(facts, placed.size),
          ...lostWorkers(facts),
          ...watched.broken,
          ...over.map(([role, most]) => `${role} had ${most.sessions} sessions of the server`),
          ...(roles.length > 0 ? [] : ['no session of a service was seen']),
          ...(atRest ? [] : ['processes at rest hold more than two connections']),
        ],
      };
    } finally {
      watch?.stop();
      await platform.stop();
    }
  } finally {
    await bouncer?.stop();
    await server.kill('SIGINT');
    forgetHome(home);
  }
}

/** The sessions of the server that each service's role has. */
async function sessionsOf(server: PostgresServer): Promise<ReadonlyMap<string, number>> {
  const rows = await server.query<{ role: string; n: number }>(
    `select usename as role, count(*)::int as n from pg_stat_activity where usename like 'parley\\_%' group by usename`,
  );
  return new Map(rows.map(({ role, n }) => [role, n]));
}

export const scenario: Scenario = {
  title: 'all services reach PostgreSQL through PgBouncer in transaction mode while calls are placed',
  run,
};

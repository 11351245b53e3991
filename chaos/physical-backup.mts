import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { ownedFolder, PostgresServer } from './postgres/server.mts';
import { killedAtWill, type Scenario, type ScenarioOptions, type ScenarioReport } from './scenario.mts';
import {
  brokenFacts,
  count,
  instantNumber,
  placeAll,
  prepare,
  prepaidCustomer,
  request,
  settled,
} from './telephony.mts';
import { within } from './webhooks/world.mts';

const calls = 200;
const placingMs = 20_000;
const patienceMs = 600_000;

/**
 * Tests the file-based backup of docs/operating.md, "Backup": a base backup while calls are in progress, and archiving of the write-ahead log. Then everything
 * is lost except these files and the secrets. The platform is restored to a named point, with an empty NATS and an empty Redis. Calls from before that point
 * exist and end; those from after it do not exist.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const archive = path.join(home, 'archive');
  const servers: PostgresServer[] = [];
  try {
    const lost = await PostgresServer.create(path.join(home, 'lost'));
    servers.push(lost);
    ownedFolder(archive);
    lost.configure([
      'archive_mode = on',
      `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'`,
    ]);
    await lost.start();
    const wanted = Math.max(20, Math.round(calls * scale));
    const before = await startPlatform(path.join(home, 'before'), { ...killedAtWill, DATABASE_URL: lost.url });
    let customer;
    let agentId = '';
    let kept: Set<string>;
    let gone: Set<string>;
    try {
      customer = await prepaidCustomer(before);
      agentId = await prepare(customer);
      const first = await placeAll(customer, agentId, wanted, placingMs * scale);
      lost.backUp(path.join(home, 'restored'));
      const second = await placeAll(customer, agentId, wanted, placingMs * scale);
      kept = new Set([...first, ...second]);
      await lost.query(`select pg_create_restore_point('before_the_loss')`);
      gone = await placeAll(customer, agentId, wanted, placingMs * scale);
      const [segment] = await lost.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
      const archived = `select 1 as one from pg_stat_archiver where last_archived_wal >= '${segment?.name}'`;
      if (!(await within(60_000, async () => (await lost.query(archived)).length > 0)))
        throw new Error('the log was not archived');
    } finally {
      await before.stop();
    }
    await lost.kill();
    say('everything is lost but the base backup, the archived log and the secrets');

    const restored = await PostgresServer.of(path.join(home, 'restored'));
    servers.push(restored);
    restored.configure([
      'archive_mode = off',
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_name = 'before_the_loss'`,
      `recovery_target_action = 'promote'`,
    ]);
    writeFileSync(path.join(restored.data, 'recovery.signal'), '');
    await restored.start();
    const out = `select 1 as one where not pg_is_in_recovery()`;
    if (!(await within(120_000, async () => (await restored.query(out)).length > 0)))
      throw new Error('the recovery does not end');
    mkdirSync(path.join(home, 'after'), { recursive: true, mode: 0o755 });
    copyFileSync(path.join(home, 'before', 'secrets.json'), path.join(home, 'after', 'secrets.json'));
    const after = await startPlatform(path.join(home, 'after'), { ...killedAtWill, DATABASE_URL: restored.url });
    try {
      const db: pg.Client = await settled(after, kept, Date.now() + patienceMs);
      const organizationId = customer.development.organization_id;
      const facts = await count(db, organizationId, [...kept]);
      const found = `select count(*)::int as n from telephony.calls where call_id = any($1)`;
      const revived = (await db.query<{ n: number }>(found, [[...gone]])).rows[0]?.n ?? NaN;
      // A key from before the loss is valid, and the platform works.
      const again = { ...after, development: customer.development };
      const { call_id: id } = await request(again, 'POST', '/v1/calls', {
        agent_id: agentId,
        from: instantNumber,
        to: '+15005550006',
      });
      await settled(after, new Set([id ?? '']), Date.now() + patienceMs).then((client) => client.end());
      const works = (await db.query<{ n: number }>(`${found} and status = 'completed'`, [[id]])).rows[0]?.n === 1;
      await db.end();
      return {
        tables: [
          {
            title: `restored to a point: ${kept.size} calls before it, ${gone.size} after it`,
            rows: [{ ...facts, 'of after the point': revived, 'works on': works }],
          },
        ],
        broken: [
          ...brokenFacts(facts, kept.size),
          ...(revived === 0 ? [] : [`${revived} calls of after the point are there`]),
          ...(works ? [] : ['a call that was placed afterwards did not complete']),
        ],
      };
    } finally {
      await after.stop();
    }
  } finally {
    for (const server of servers) await server.kill('SIGINT');
    forgetHome(home);
  }
}

export const scenario: Scenario = {
  title: 'PostgreSQL is restored from a base backup and its archived log to a point in time, under fresh servers',
  run,
};

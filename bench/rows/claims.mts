/** How many jobs per second one process assigns if one organization has queued calls, and if a thousand have. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';

const callsQueued = 20_000;

/** Inserts queued calls of this many organizations, like admissions do. */
async function fill(db: pg.Client, organizations: number): Promise<void> {
  await db.query(`truncate telephony.jobs, telephony.organization_queues, telephony.organization_controls cascade`);
  await db.query(`delete from telephony.calls where call_id like 'call_bench%'`);
  const organization = `'org_bench' || lpad((n % $2::int)::text, 21, '0')`;
  await db.query(
    `with given as (select n, ${organization} as org from generate_series(1, $1::int) n), called as (
       insert into telephony.calls (call_id, organization_id, project_id, agent_id, direction, from_number, to_number, status,
         resource_seq, policy_verdict, mode, publication_version, publication_sha256, tuning, language, recording_enabled,
         cost_micros_per_minute, variables, metadata, created_at, queued_at, updated_at)
       select 'call_bench' || lpad(n::text, 21, '0'), org, 'prj_bench', 'agt_bench', 'outbound', '+14155550100',
         '+15005550006', 'queued', 2, 'allowed', 'hosted', 1, '', '{}', 'en', false, 0, '{}', '{}', now(), now(), now()
       from given), queued as (
       insert into telephony.jobs (job_id, organization_id, call_id, agent_id, kind, available_at)
       select 'job_bench' || lpad(n::text, 21, '0'), org, 'call_bench' || lpad(n::text, 21, '0'), 'agt_bench', 'call', now()
       from given), with_queue as (
       insert into telephony.organization_queues (organization_id) select distinct org from given)
     insert into telephony.organization_controls (organization_id, queued) select org, count(*) from given group by org`,
    [callsQueued, organizations],
  );
  await db.query('analyze telephony.jobs, telephony.organization_queues, telephony.calls');
}

/** Runs the claim statement of the service like `workers` processes, ten times per transaction. */
async function claimsPerSecond(databaseUrl: string, workers: number, seconds: number): Promise<number> {
  const { claimText } = (await import('../../services/telephony/dist/books/queue/claim.cross-tenant.sql.js')) as {
    claimText: string;
  };
  const until = performance.now() + seconds * 1000;
  const begun = performance.now();
  const claimed = await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const db = new pg.Client({ connectionString: databaseUrl });
      await db.connect();
      await db.query('set search_path = telephony');
      let jobs = 0;
      while (performance.now() < until) {
        await db.query('begin');
        for (let turn = 0; turn < 10; turn += 1) {
          const values = [
            '',
            ['call'],
            [],
            [],
            [],
            'hosted',
            `w${worker}`,
            300,
            'bench',
            [],
            [],
            '-infinity',
            '-infinity',
          ];
          jobs += (await db.query({ name: 'claim', text: claimText, values })).rowCount ?? 0;
        }
        await db.query('commit');
      }
      await db.end();
      return jobs;
    }),
  );
  return claimed.reduce((sum, jobs) => sum + jobs, 0) / ((performance.now() - begun) / 1000);
}

async function openWindow(platform: BenchPlatform): Promise<void> {
  const { operator_key: key } = JSON.parse(readFileSync(path.join(platform.home, 'dev.json'), 'utf8')) as {
    operator_key: string;
  };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ active: true });
  const answer = await fetch(`${platform.baseUrl}/v1/maintenance`, { method: 'PUT', headers, body });
  if (answer.status !== 200) throw new Error(`PUT /v1/maintenance: ${answer.status} ${await answer.text()}`);
  // Every replica applies the window within a second.
  await pause(1_500);
}

async function measure(platform: BenchPlatform, seconds: number): Promise<object[]> {
  const db = new pg.Client({ connectionString: platform.file.database_url });
  await db.connect();
  // During maintenance no jobs are assigned, so the platform's own engine does not claim these.
  await openWindow(platform);
  const rows: object[] = [];
  for (const organizations of [1, 1_000]) {
    for (const workers of [1, 4]) {
      await fill(db, organizations);
      const perSecond = await claimsPerSecond(platform.file.database_url, workers, Math.min(seconds, 5));
      rows.push({
        'organizations queued': organizations,
        'claiming at once': workers,
        'claims/s': Math.round(perSecond),
      });
    }
  }
  await db.end();
  return rows;
}

export const bench: BenchRow = {
  title: 'claims',
  async run({ seconds }) {
    const home = newHome();
    const platform = await startPlatform(home);
    try {
      const title = `claims by the service's own statement, ten turns a transaction, ${callsQueued} calls queued`;
      return [{ title, rows: await measure(platform, seconds) }];
    } finally {
      await platform.stop();
      forgetHome(home);
    }
  },
};

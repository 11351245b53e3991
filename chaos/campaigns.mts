import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../bench/platform.mts';
import { killedAtWill, type Scenario, type ScenarioOptions, type ScenarioReport } from './scenario.mts';
import { instantNumber, prepare, request } from './telephony.mts';

/** Services whose processes are killed in turn until the campaign is over. */
const victims = ['telephony', 'engine'] as const;
const patienceMs = 15 * 60_000;
const retry = { attempts: 2, delay_minutes: 0, on: ['busy', 'no_answer', 'voicemail', 'failed'] };

interface Process {
  readonly name: string;
  readonly pid: number;
}

const processesOf = ({ home }: BenchPlatform): readonly Process[] =>
  (JSON.parse(readFileSync(path.join(home, 'platform.json'), 'utf8')) as { processes: Process[] }).processes;

/**
 * Runs a campaign over two replicas of every service while their processes are killed, and pauses and resumes it in between. Counts in the database how many
 * contacts were lost, how many were called more often than the retry rule allows, and how many events were published twice.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const platform = await startPlatform(home, killedAtWill, 2, ['--lease-seconds', '3']);
  try {
    return await runOn(platform, Math.max(20, Math.round(1_000 * scale)), say);
  } finally {
    await platform.stop();
    forgetHome(home);
  }
}

async function runOn(platform: BenchPlatform, contacts: number, say: (line: string) => void): Promise<ScenarioReport> {
  const agent_id = await prepare(platform);
  const pace = { max_concurrent: 25, calls_per_minute: 10_000, retry, pause_at_failure_percent: null };
  const made = await request(platform, 'POST', '/v1/campaigns', {
    agent_id,
    from: instantNumber,
    name: 'chaos',
    ...pace,
  });
  const id = made.campaign_id ?? '';
  for (let first = 0; first < contacts; first += 500) {
    // The first eight contacts are numbers of the simulator with special outcomes; at any other number a person answers.
    const some = Array.from({ length: Math.min(500, contacts - first) }, (_, n) => ({
      to: first + n < 8 ? `+1500555000${first + n + 1}` : `+1650${1_000_000 + first + n}`,
    }));
    await request(platform, 'POST', `/v1/campaigns/${id}/contacts`, { contacts: some });
  }
  await request(platform, 'POST', `/v1/campaigns/${id}/launch`, {});
  const killed = await killUntilOver(platform, id, say);
  const db = new pg.Client({ connectionString: platform.file.database_url });
  await db.connect();
  const facts = await count(db, id);
  await db.end();
  const broken = [
    ...(facts.withoutOutcome > 0 ? [`${facts.withoutOutcome} contacts have no outcome`] : []),
    ...(facts.contacts !== contacts ? [`of ${contacts} contacts ${facts.contacts} are there`] : []),
    ...(facts.dialedMost > retry.attempts ? [`somebody was dialed ${facts.dialedMost} times`] : []),
    ...(facts.callsWithoutAttempt > 0 ? [`${facts.callsWithoutAttempt} calls belong to no attempt`] : []),
    ...(facts.contactEvents !== contacts ? [`${contacts} contacts have ${facts.contactEvents} events`] : []),
    ...(facts.campaignEvents !== 2 ? [`the campaign has ${facts.campaignEvents} events in place of two`] : []),
    ...(facts.counted !== contacts ? [`the statistics count ${facts.counted} of ${contacts} contacts`] : []),
    ...[...killed].filter(([, times]) => times === 0).map(([name]) => `${name} was never killed`),
  ];
  const kills = Object.fromEntries([...killed].map(([name, times]) => [`kill -9 ${name}`, times]));
  return { tables: [{ title: `a campaign of ${contacts}`, rows: [{ ...kills, ...facts }] }], broken };
}

/** Kills processes in turn. Every third time the campaign is paused and resumed while the killed process is down. */
async function killUntilOver(
  platform: BenchPlatform,
  id: string,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, number>> {
  const killed = new Map<string, number>(victims.map((name) => [name, 0]));
  const until = Date.now() + patienceMs;
  for (let turn = 0; Date.now() < until; turn += 1) {
    // Longer than a lease, so that the leases of the killed process are reaped in between.
    await pause(4_000);
    const { status, statistics } = await read(platform, id);
    if (status === 'completed') return killed;
    const name = victims[turn % victims.length] ?? 'engine';
    const candidates = processesOf(platform).filter((process) => process.name.startsWith(name));
    const victim = candidates[Math.floor(turn / victims.length) % candidates.length];
    if (victim === undefined) throw new Error(`there is no process ${name}`);
    process.kill(victim.pid, 'SIGKILL');
    killed.set(name, (killed.get(name) ?? 0) + 1);
    say(`killed ${victim.name} (${victim.pid}) after ${String(statistics.completed)} contacts`);
    if (turn % 3 === 2) await pauseAndResume(platform, id);
    while (Date.now() < until && !(await isBack(platform, victim))) await pause(100);
  }
  throw new Error('the campaign never came to its end');
}

async function pauseAndResume(platform: BenchPlatform, id: string): Promise<void> {
  // Either request may fail because it is too late: the campaign is over, or an earlier attempt succeeded although its response was lost.
  for (const act of ['pause', 'resume']) {
    await request(platform, 'POST', `/v1/campaigns/${id}/${act}`, {}).catch(() => undefined);
  }
}

interface Read {
  readonly status: string;
  readonly statistics: { readonly completed: number };
}

async function read(platform: BenchPlatform, id: string): Promise<Read> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(100)) {
    const answer = await fetch(`${platform.baseUrl}/v1/campaigns/${id}`, {
      headers: { authorization: `Bearer ${platform.development.admin_key}` },
    }).catch(() => undefined);
    if (answer?.status === 200) return (await answer.json()) as Read;
  }
  throw new Error('the campaign cannot be read');
}

async function isBack(platform: BenchPlatform, { name, pid }: Process): Promise<boolean> {
  const same = processesOf(platform).filter((process) => process.name === name);
  if (same.some((process) => process.pid === pid)) return false;
  return fetch(`${platform.baseUrl}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

interface Facts {
  readonly contacts: number;
  readonly withoutOutcome: number;
  readonly counted: number;
  readonly calls: number;
  readonly callsWithoutAttempt: number;
  readonly dialedMost: number;
  readonly contactEvents: number;
  readonly campaignEvents: number;
  readonly outcomes: string;
}

async function count(db: pg.Client, id: string): Promise<Facts> {
  const { rows } = await db.query<Facts>(
    `with made as (select c.call_id, c.to_number, c.dialing_at, c.metadata::json->>'attempt_id' as attempt_id
       from telephony.calls c where c.metadata::json->>'campaign_id' = $1)
     select
       (select count(*)::int from telephony.campaign_contacts where campaign_id = $1) as contacts,
       (select count(*)::int from telephony.campaign_contacts where campaign_id = $1 and outcome is null) as "withoutOutcome",
       (select completed from telephony.campaigns where campaign_id = $1) as counted,
       (select count(*)::int from made) as calls,
       (select count(*)::int from made where not exists (select 1 from telephony.campaign_attempts a
          where a.call_id = made.call_id and a.attempt_id = made.attempt_id)) as "callsWithoutAttempt",
       (select coalesce(max(times), 0)::int from (select count(*) as times from made where dialing_at is not null
          group by to_number) t) as "dialedMost",
       (select count(*)::int from telephony.outbox where payload::json->>'type' = 'campaign.contact.completed') as "contactEvents",
       (select count(*)::int from telephony.outbox where ordering_key = $1) as "campaignEvents",
       (select outcomes from telephony.campaigns where campaign_id = $1) as outcomes`,
    [id],
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('nothing was counted');
  return facts;
}

export const scenario: Scenario = {
  title:
    'A campaign of 1,000 while telephony and engine are killed: one outcome each, no contact called more often than the rule',
  run,
};

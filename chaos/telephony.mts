import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../bench/platform.mts';
import { killedAtWill, type Scenario, type ScenarioOptions, type ScenarioReport } from './scenario.mts';

/** Servers and services whose processes are killed in turn until every call was placed. */
const victims = ['telephony', 'engine', 'nats', 'postgres'] as const;

/** The number of calls that are placed concurrently. Each request is repeated with its idempotency key until the platform responds. */
const placers = 8;

/** How long it takes to place all calls, so that each process is killed several times while calls are in progress. */
const placingMs = 120_000;

/** Micro-USD: more than all calls together can cost. */
const topUp = 1_000_000_000_000;

const patienceMs = 15 * 60_000;

/** Milliseconds after which a request without a response is sent again. */
const unansweredMs = 10_000;

export interface Process {
  readonly name: string;
  readonly pid: number;
}

const processesOf = ({ home }: BenchPlatform): readonly Process[] =>
  (JSON.parse(readFileSync(path.join(home, 'platform.json'), 'utf8')) as { processes: Process[] }).processes;

const final = ['completed', 'failed', 'canceled', 'policy_blocked'];

/**
 * Places calls over the public API while processes are killed, and waits until all calls are over. Counts in the database what was lost, what was dialed
 * twice, and where the charged money does not match the minutes.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  // Short leases: a call whose engine was killed ends after seconds.
  const platform = await startPlatform(home, killedAtWill, 1, ['--lease-seconds', '3']);
  try {
    return await runOn(platform, Math.max(8, Math.round(2_000 * scale)), placingMs * scale, say);
  } finally {
    await platform.stop();
    forgetHome(home);
  }
}

async function runOn(
  platform: BenchPlatform,
  calls: number,
  withinMs: number,
  say: (line: string) => void,
): Promise<ScenarioReport> {
  const customer = await prepaidCustomer(platform);
  const agentId = await prepare(customer);
  const killed = new Map<string, number[]>(victims.map((name) => [name, []]));
  const state = { placing: true };
  const killing = killInTurn(platform, killed, state, say);
  const placed = await placeAll(customer, agentId, calls, withinMs);
  // The processes that were not killed while the calls were placed are killed now: the last calls are still in progress.
  state.placing = false;
  await killing;
  say(`${placed.size} calls are placed; waiting for the last one to end`);
  const db = await settled(platform, placed, Date.now() + patienceMs);
  const facts = await count(db, customer.development.organization_id, [...placed]);
  const cut = await countCut(db, [...placed], killed.get('engine') ?? []);
  await db.end();
  const kills = Object.fromEntries([...killed].map(([name, pids]) => [`kill -9 ${name}`, pids.length]));
  return {
    tables: [{ title: `${placed.size} calls`, rows: [{ ...kills, ...facts, cut }] }],
    broken: [
      ...brokenFacts(facts, placed.size),
      ...(cut > 0 ? [`${cut} calls were cut although their engine was not killed`] : []),
      ...[...killed].filter(([, pids]) => pids.length === 0).map(([name]) => `${name} was never killed`),
    ],
  };
}

/** The guarantees that were violated according to `count`. */
export function brokenFacts(facts: Facts, placed: number): string[] {
  return [
    ...(facts.lost > 0 ? [`${facts.lost} calls were answered with 201 and are not over, or not there`] : []),
    ...(facts.dialedTwice > 0 ? [`${facts.dialedTwice} calls were dialed more than once`] : []),
    ...(facts.ends !== placed ? [`${placed} calls have ${facts.ends} terminal events`] : []),
    ...(facts.gaps > 0 ? [`${facts.gaps} calls have a gap in their events`] : []),
    ...(facts.unpublished > 0 ? [`${facts.unpublished} events were never published`] : []),
    ...(facts.drift !== 0 ? [`the costs differ from the minutes by ${facts.drift} micro-units`] : []),
    ...(facts.walletDrift !== 0 ? [`balance, ledger, holds and costs differ by ${facts.walletDrift} micro-units`] : []),
    ...(facts.stillLive !== 0 ? [`${facts.stillLive} calls count as live and are over`] : []),
  ];
}

/** Calls whose worker was lost; none may be where no engine is killed. */
export const lostWorkers = ({ workerLost }: Facts): string[] =>
  workerLost > 0 ? [`${workerLost} calls lost their worker`] : [];

/** Calls that ended because their worker was lost, except those of engines that were killed. The id of an engine's worker contains the id of its process. */
async function countCut(db: pg.Client, ids: readonly string[], killedEngines: readonly number[]): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from telephony.calls join telephony.jobs using (call_id)
     where call_id = any($1) and (ended_reason = 'worker_lost' or reason_detail = 'worker_lost')
       and coalesce(substring(worker_id from '-([0-9]+)-[0-9a-f]{8}$'), '') <> all($2)`,
    [ids, killedEngines.map(String)],
  );
  return rows[0]?.n ?? 0;
}

/** Creates a customer who pays in advance, so that every call reserves and settles money. */
export async function prepaidCustomer(platform: BenchPlatform): Promise<BenchPlatform> {
  const operator = {
    ...platform,
    development: { ...platform.development, admin_key: platform.development.operator_key },
  };
  const post = (route: string, body: object) => request(operator, 'POST', route, body);
  const { organization_id = '' } = await post('/v1/organizations', { name: 'Chaos', billing: 'prepaid' });
  const { project_id = '' } = await post(`/v1/organizations/${organization_id}/projects`, { name: 'Chaos' });
  const { token = '' } = await post('/v1/api-keys', { organization_id, name: 'chaos', scopes: ['all'] });
  await post('/v1/wallet/top-ups', { organization_id, amount_micros: topUp });
  return { ...platform, development: { ...platform.development, organization_id, project_id, admin_key: token } };
}

/** Numbers from which calls are made, by the pace of their calls. */
export const instantNumber = '+14155550123';
export const realTimeNumber = '+14155550124';
/** Talks for about four seconds. */
const briefCallee = '+15005550009';

/**
 * The numbers of the n-th call: all outcomes of the simulator in turn. The silent callee, whose calls last half a minute, is replaced by one that talks for
 * seconds in real time, so that calls are in progress at each failure.
 */
export const dialed = (n: number): { from: string; to: string } =>
  n % 8 === 6 ? { from: realTimeNumber, to: briefCallee } : { from: instantNumber, to: `+1500555000${(n % 8) + 1}` };

/** Creates an agent and numbers for its calls. @param dialer whether hosted workers or the organization's own ones get the calls */
export async function prepare(platform: BenchPlatform, dialer: 'hosted' | 'own' = 'hosted'): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const owner = { organization_id, project_id };
  for (const [phone_number, simulator_pace] of [
    [instantNumber, 'instant'],
    [realTimeNumber, 'real_time'],
  ] as const)
    await request(platform, 'POST', '/v1/numbers', {
      ...owner,
      phone_number,
      provider: 'simulator',
      simulator_pace,
      dialer,
    });
  const agent = { ...owner, mode: 'hosted', name: 'chaos', language: 'en', system_prompt: 'Be brief.' };
  const { agent_id: agentId } = await request(platform, 'POST', '/v1/agents', agent);
  await request(platform, 'PATCH', `/v1/agents/${agentId}/voice-stack`, { languages: ['en'] });
  return agentId ?? '';
}

/** Repeats requests without a response, or with a 5xx, with the same idempotency key, so that nothing is created twice. */
export async function request(
  platform: BenchPlatform,
  method: string,
  route: string,
  body: object,
): Promise<Record<string, string>> {
  const headers = {
    authorization: `Bearer ${platform.development.admin_key}`,
    'content-type': 'application/json',
    ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
  };
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(100)) {
    // A frozen process keeps the connection open and never responds.
    const signal = AbortSignal.timeout(unansweredMs);
    const answer = await fetch(platform.baseUrl + route, { method, headers, body: JSON.stringify(body), signal })
      .then(async (response) => ({ ok: response.ok, status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (answer === undefined || answer.status >= 500 || answer.status === 429) continue;
    const { text } = answer;
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, string>;
  }
  throw new Error(`${method} ${route} was not answered`);
}

export async function placeAll(
  platform: BenchPlatform,
  agentId: string,
  calls: number,
  withinMs: number,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const begun = Date.now();
  let next = 0;
  const place = async (): Promise<void> => {
    while (next < calls) {
      next += 1;
      await pause(Math.max(0, begun + (next / calls) * withinMs - Date.now()));
      const call = { agent_id: agentId, ...dialed(ids.size) };
      const { call_id: id } = await request(platform, 'POST', '/v1/calls', call);
      ids.add(id ?? '');
    }
  };
  await Promise.all(Array.from({ length: placers }, place));
  return ids;
}

async function killInTurn(
  platform: BenchPlatform,
  killed: Map<string, number[]>,
  state: { placing: boolean },
  say: (line: string) => void,
): Promise<void> {
  for (let turn = 0; state.placing || turn < victims.length; turn += 1) {
    const name = victims[turn % victims.length] ?? 'engine';
    await pause(4_000);
    const victim = processesOf(platform).find((process) => process.name.startsWith(name));
    if (victim === undefined) throw new Error(`there is no process ${name}`);
    process.kill(victim.pid, 'SIGKILL');
    killed.get(name)?.push(victim.pid);
    say(`killed ${victim.name} (${victim.pid})`);
    while (!(await isBack(platform, victim))) await pause(100);
  }
}

async function isBack(platform: BenchPlatform, { name, pid }: Process): Promise<boolean> {
  if (!processesOf(platform).some((process) => process.name === name && process.pid !== pid)) return false;
  return fetch(`${platform.baseUrl}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Connects to a server that may still be starting after it was killed. */
async function connected(connectionString: string, until: number): Promise<pg.Client> {
  for (;;) {
    const db = new pg.Client({ connectionString });
    // If its server is stopped while a scenario ends with another error, this must not hide that one.
    db.on('error', () => undefined);
    try {
      await db.connect();
      return db;
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(100);
    }
  }
}

/** Returns a connection as soon as every call is over and every event is published, or when the time is up. */
export async function settled(platform: BenchPlatform, placed: ReadonlySet<string>, until: number): Promise<pg.Client> {
  const db = await connected(platform.file.database_url, until);
  for (;;) {
    const { rows } = await db.query<{ over: number; waiting: number }>(
      `select (select count(*)::int from telephony.calls where call_id = any($1) and status = any($2)) as over,
              (select count(*)::int from telephony.outbox where published_at is null) as waiting`,
      [[...placed], final],
    );
    const [now] = rows;
    if (Date.now() > until || (now?.over === placed.size && now.waiting === 0)) return db;
    await pause(500);
  }
}

export interface Facts {
  readonly lost: number;
  readonly dialedTwice: number;
  readonly ends: number;
  readonly gaps: number;
  readonly unpublished: number;
  readonly drift: number;
  readonly walletDrift: number;
  readonly stillLive: number;
  /**
   * Not guarantees, but an indication whether calls were affected: calls whose worker was lost while dialing or talking, and calls that were returned to the
   * queue.
   */
  readonly workerLost: number;
  readonly claimedAgain: number;
}

export async function count(db: pg.Client, organizationId: string, ids: readonly string[]): Promise<Facts> {
  const one = async (text: string): Promise<number> => {
    const { rows } = await db.query<{ n: string | null }>(text, text.includes('$2') ? [ids, final] : [ids]);
    return Number(rows[0]?.n ?? 0);
  };
  const ofCustomer = async (text: string): Promise<number> => {
    const { rows } = await db.query<{ n: string | null }>(text, [organizationId]);
    return Number(rows[0]?.n ?? 0);
  };
  const ledger = `(select coalesce(sum(amount_micros), 0) from telephony.wallet_ledger where organization_id = $1)`;
  const costs = `(select coalesce(sum(cost_micros), 0) from telephony.calls where organization_id = $1)`;
  const toppedUp = `(select sum(amount_micros) from telephony.wallet_ledger where organization_id = $1 and kind = 'top_up')`;
  const over = await one('select count(*) as n from telephony.calls where call_id = any($1) and status = any($2)');
  return {
    lost: ids.length - over,
    dialedTwice: await one(`select count(*) as n from (select call_id from telephony.call_events
      where call_id = any($1) and type = 'call.dialing' group by call_id having count(*) > 1) twice`),
    ends: await one(`select count(*) as n from telephony.call_events
      where call_id = any($1) and type in ('call.completed', 'call.failed', 'call.canceled')`),
    gaps: await one(`select count(*) as n from (select call_id from telephony.call_events where call_id = any($1)
      group by call_id having max(resource_seq) <> count(*)) gap`),
    unpublished: await one(`select count(*) as n from telephony.outbox
      where ordering_key = any($1) and published_at is null`),
    drift: await one(`select coalesce(sum(abs(cost_micros - case when duration_seconds is null then 0
        else ceil(duration_seconds * cost_micros_per_minute / 60.0) end)), 0) as n
      from telephony.calls where call_id = any($1)`),
    walletDrift: await ofCustomer(`select abs(balance_micros - ${ledger}) + abs(${toppedUp} - ${costs} - balance_micros)
      + reserved_micros as n from telephony.organization_controls where organization_id = $1`),
    stillLive: await ofCustomer('select live as n from telephony.organization_controls where organization_id = $1'),
    workerLost: await one(`select count(*) as n from telephony.calls
      where call_id = any($1) and (ended_reason = 'worker_lost' or reason_detail = 'worker_lost')`),
    claimedAgain: await one(`select count(*) as n from telephony.jobs where call_id = any($1) and epoch > 1 and
      call_id not in (select call_id from telephony.calls where ended_reason = 'worker_lost')`),
  };
}

export const scenario: Scenario = {
  title: 'telephony, engine, NATS and PostgreSQL are killed with -9 in turn while calls are placed and talked',
  run,
};

/** The cost of a list of calls in an organization with 100,000 of them, for each filter, relative to one with 1,000. */
import { leastIdAt } from '../../libs/runtime/dist/index.js';
import pg from 'pg';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';

const sizes = { few: 1_000, many: 100_000 } as const;
/** How many calls a filter finds, spread over the whole period: the same in both organizations, and more than a page. */
const found = 25;
const pageSize = 20;
const minuteMs = 60_000;

interface Side {
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: ReadonlyMap<string, string>;
}

async function post(platform: BenchPlatform, path: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${platform.development.operator_key}`, 'content-type': 'application/json' };
  const answer = await fetch(platform.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

/** Inserts one call a minute until an hour ago, in the state after its end. */
async function fill(db: pg.Client, organizationId: string, projectId: string, count: number): Promise<Date[]> {
  const end = Date.now() - 60 * minuteMs;
  const times = Array.from({ length: count }, (_, n) => new Date(end - (count - n) * minuteMs));
  const ids = times.map((time) => leastIdAt('call', time));
  const rare = times.map((_, n) => n % (count / found) === 0);
  await db.query(
    `insert into telephony.calls (call_id, organization_id, project_id, agent_id, direction, from_number, to_number, status,
       resource_seq, ended_reason, policy_verdict, mode, publication_version, publication_sha256, tuning, language, recording_enabled,
       cost_micros_per_minute, variables, metadata, created_at, queued_at, updated_at)
     select id, $1, case when rare then $5 else 'prj_usual' end, case when rare then 'agt_rare' else 'agt_usual' end,
       case when rare then 'inbound' else 'outbound' end, case when rare then '+14155550199' else '+14155550100' end,
       case when rare then '+15005550004' else '+15005550006' end, case when rare then 'failed' else 'completed' end,
       6, case when rare then 'carrier_failure' else 'callee_hung_up' end, 'allowed', 'hosted', 1, '', '{}', 'en', false, 0,
       '{}', case when rare then '{"order":"17"}' else '{"order":"18"}' end, made, made, made
     from unnest($2::text[], $3::timestamptz[], $4::boolean[]) as given (id, made, rare)`,
    [organizationId, ids, times, rare, projectId],
  );
  await db.query(
    `insert into telephony.campaign_attempts (attempt_id, organization_id, campaign_id, contact_id, status, ready_at, call_id, created_at)
     select 'job_' || call_id, organization_id, $2, call_id, 'over', created_at, call_id, created_at
     from telephony.calls where organization_id = $1 and agent_id = 'agt_rare'`,
    [organizationId, campaignOf(organizationId)],
  );
  return times;
}

const campaignOf = (organizationId: string): string => organizationId.replace('org_', 'cmp_');

/** The filters of GET /v1/calls, each with a value that few calls have. */
function queriesOf(organizationId: string, projectId: string, times: readonly Date[]): ReadonlyMap<string, string> {
  const middle = Math.floor(times.length / 2);
  const [since, until] = [times[middle - found], times[middle]];
  if (since === undefined || until === undefined) throw new Error('too few calls');
  const queries: Record<string, Record<string, string>> = {
    none: {},
    agent_id: { agent_id: 'agt_rare' },
    project_id: { project_id: projectId },
    direction: { direction: 'inbound' },
    from: { from: '+14155550199' },
    to: { to: '+15005550004' },
    status: { status: 'failed' },
    ended_reason: { ended_reason: 'carrier_failure' },
    campaign_id: { campaign_id: campaignOf(organizationId) },
    metadata: { 'metadata[order]': '17' },
    'since, until': { since: since.toISOString(), until: until.toISOString() },
    sort: { sort: 'created_at' },
    'metadata, sort': { 'metadata[order]': '17', sort: 'created_at' },
    'status, sort': { status: 'failed', sort: 'created_at' },
  };
  return new Map(
    Object.entries(queries).map(([name, query]) => [
      name,
      `/v1/calls?${new URLSearchParams({ limit: String(pageSize), ...query }).toString()}`,
    ]),
  );
}

async function sideOf(platform: BenchPlatform, db: pg.Client, name: string, count: number): Promise<Side> {
  const { organization_id = '' } = await post(platform, '/v1/organizations', { name });
  const { project_id = '' } = await post(platform, `/v1/organizations/${organization_id}/projects`, { name });
  const scopes = ['calls:read'];
  const { token = '' } = await post(platform, '/v1/api-keys', { organization_id, name, scopes });
  const times = await fill(db, organization_id, project_id, count);
  return { headers: { authorization: `Bearer ${token}` }, paths: queriesOf(organization_id, project_id, times) };
}

/** Milliseconds for one page, which must be full. */
async function timed(platform: BenchPlatform, { headers }: Side, path: string): Promise<number> {
  const begin = performance.now();
  const answer = await fetch(platform.baseUrl + path, { headers });
  const { data } = (await answer.json()) as { data?: readonly unknown[] };
  const ms = performance.now() - begin;
  if (answer.status !== 200 || data?.length !== pageSize)
    throw new Error(`${path}: ${answer.status}, ${data?.length ?? 'no'} calls`);
  return ms;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;

export const bench: BenchRow = {
  title: 'lists',
  async run({ pairs }) {
    const home = newHome();
    const platform = await startPlatform(home);
    const db = new pg.Client({ connectionString: platform.file.database_url });
    try {
      await db.connect();
      const few = await sideOf(platform, db, 'few', sizes.few);
      const many = await sideOf(platform, db, 'many', sizes.many);
      await db.query('vacuum (analyze) telephony.calls');
      await db.query('vacuum (analyze) telephony.campaign_attempts');
      await db.query('vacuum (analyze) telephony.call_metadata');
      const rows: object[] = [];
      for (const [name, path] of few.paths) {
        const other = many.paths.get(name) ?? '';
        const [ofFew, ofMany]: [number[], number[]] = [[], []];
        // Alternately, so that both see the same state of the machine. The first rounds only warm up.
        for (let round = -10; round < pairs * 60; round += 1) {
          const first = round % 2 === 0;
          const one = first ? await timed(platform, few, path) : await timed(platform, many, other);
          const two = first ? await timed(platform, many, other) : await timed(platform, few, path);
          if (round < 0) continue;
          ofFew.push(first ? one : two);
          ofMany.push(first ? two : one);
        }
        const [a, b] = [medianOf(ofFew), medianOf(ofMany)];
        rows.push({ filter: name, 'few ms': a.toFixed(2), 'many ms': b.toFixed(2), ratio: (b / a).toFixed(2) });
      }
      const title = `a page of ${pageSize} of ${sizes.many} calls, in times of one of ${sizes.few}: latency, medians of ${pairs * 60} pairs, ${found} calls found by each filter`;
      return [{ title, rows }];
    } finally {
      await db.end();
      await platform.stop();
      forgetHome(home);
    }
  },
};

/** Messages per second: admission over HTTP compared with its floor, and how many are sent to the simulator's carrier and reported as delivered. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { interleaved, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';
import { startFloors } from './requests.mts';

const json = { 'content-type': 'application/json' };

async function target(platform: BenchPlatform): Promise<Target> {
  const { admin_key, organization_id, project_id } = platform.development;
  const headers = { authorization: `Bearer ${admin_key}`, ...json };
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(platform.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const owner = { organization_id, project_id };
  await post('/v1/numbers', { ...owner, phone_number: '+14155550123', provider: 'simulator' });
  const { agent_id } = await post('/v1/agents', { ...owner, mode: 'hosted', name: 'bench', language: 'en' });
  const stack = `${platform.baseUrl}/v1/agents/${agent_id}/voice-stack`;
  // A published agent need not be compiled for each request about it.
  const published = await fetch(stack, { method: 'PATCH', headers, body: JSON.stringify({ languages: ['en'] }) });
  if (published.status !== 200) throw new Error(`PATCH voice-stack: ${published.status} ${await published.text()}`);
  return {
    title: 'POST /v1/messages',
    url: `${platform.baseUrl}/v1/messages`,
    method: 'POST',
    headers,
    creates: true,
    body: JSON.stringify({ agent_id, to: '+15005550006', body: 'Your appointment is tomorrow at ten.' }),
    status: 201,
  };
}

/** Messages per second that reach a final state while a backlog is processed, including their events. */
async function drained(databaseUrl: string, seconds: number): Promise<number> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const delivered = async (): Promise<number> => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from telephony.messages where status = 'delivered'`,
    );
    return rows[0]?.count ?? 0;
  };
  await db.query(
    `with model as (select * from telephony.messages order by message_id limit 1),
     made as (
       insert into telephony.messages (message_id, organization_id, project_id, agent_id, direction, from_number, to_number,
         status, resource_seq, body, segment_count, provider, policy_verdict, metadata, created_at, updated_at)
       select 'msg_bench' || lpad(n::text, 21, '0'), organization_id, project_id, agent_id, 'outbound', from_number, to_number,
         'queued', 0, body, 1, 'simulator', 'allowed', '{}', now(), now()
       from model, generate_series(1, 200000) n returning message_id, organization_id, agent_id)
     insert into telephony.message_jobs (message_id, organization_id, agent_id, due_at)
     select message_id, organization_id, agent_id, now() from made`,
  );
  const before = await delivered();
  const begun = performance.now();
  await pause(seconds * 1000);
  const after = await delivered();
  const perSecond = (after - before) / ((performance.now() - begun) / 1000);
  await db.query(`delete from telephony.message_jobs where state = 'queued'`);
  await db.end();
  return perSecond;
}

export const bench: BenchRow = {
  title: 'messages',
  async run({ pairs, seconds }) {
    const home = newHome();
    try {
      const platform = await startPlatform(home, { SIMULATOR_DELIVERY_DELAY_SECONDS: '0' });
      const floors = await startFloors(platform.file.database_url);
      const rows: object[] = [];
      try {
        const ours = await target(platform);
        for (const clients of [16, 64]) {
          const pair = await interleaved(floors.call, ours, pairs, seconds, clients);
          rows.push({
            request: ours.title,
            floor: floors.call.title,
            clients,
            'floor/s': Math.round(pair.floor.perSecond),
            'ours/s': Math.round(pair.ours.perSecond),
            ratio: Number(pair.ratio.toFixed(2)),
            'ours p50/p99 ms': `${pair.ours.p50}/${pair.ours.p99}`,
          });
        }
      } finally {
        await floors.stop();
      }
      const rate = await drained(platform.file.database_url, seconds * 2).finally(() => platform.stop());
      return [
        { title: `messages, ${pairs} interleaved pairs of ${seconds} s, medians, while they are being sent`, rows },
        {
          title: 'a backlog on the simulator, one telephony process',
          rows: [{ 'sent and delivered/s': Math.round(rate) }],
        },
      ];
    } finally {
      forgetHome(home);
    }
  },
};

import { setTimeout as pause } from 'node:timers/promises';
import type { BenchPlatform } from '../../bench/platform.mts';
import { instantNumber, request } from '../telephony.mts';

/** The writes that were accepted during a freeze, by kind of record. */
export interface Accepted {
  readonly calls: Set<string>;
  readonly agents: Set<string>;
  readonly keys: Set<string>;
}

/** A busy number, a carrier failure and a conversation: all these calls end by themselves. */
const numbers = ['+15005550001', '+15005550004', '+15005550006'];

/** Milliseconds between two writes of each kind. Keys are written less often, because at most 60 a minute may be created. */
const everyMs = { calls: 400, agents: 1_000, keys: 5_000 } as const;

/** Writes continuously until stopped. Each write is repeated with its idempotency key until it is accepted. */
export function startWriting(platform: BenchPlatform, agentId: string): { accepted: Accepted; stop(): Promise<void> } {
  const { organization_id, project_id } = platform.development;
  const accepted: Accepted = { calls: new Set(), agents: new Set(), keys: new Set() };
  const state = { writing: true };
  const line = async (kind: keyof Accepted, write: (nth: number) => Promise<string | undefined>): Promise<void> => {
    for (let nth = 0; state.writing; nth += 1) {
      const id = await write(nth);
      if (id === undefined) throw new Error(`a write of ${kind} was accepted without an id`);
      accepted[kind].add(id);
      await pause(everyMs[kind]);
    }
  };
  const lines = Promise.all([
    line('calls', async (nth) => {
      const body = { agent_id: agentId, from: instantNumber, to: numbers[nth % numbers.length] };
      return (await request(platform, 'POST', '/v1/calls', body)).call_id;
    }),
    line('agents', async (nth) => {
      const body = { organization_id, project_id, mode: 'hosted', name: `written ${nth}` };
      return (await request(platform, 'POST', '/v1/agents', body)).agent_id;
    }),
    line('keys', async (nth) => {
      const body = { organization_id, name: `written ${nth}`, scopes: ['calls:read'] };
      return (await request(platform, 'POST', '/v1/api-keys', body)).key_id;
    }),
  ]);
  // `stop` reports the error; before that it must not cause an unhandled rejection.
  lines.catch(() => undefined);
  return {
    accepted,
    stop: async () => {
      state.writing = false;
      await lines;
    },
  };
}

/** Returns how many accepted writes cannot be read over the API. */
export async function unreadable(platform: BenchPlatform, { calls, agents, keys }: Accepted): Promise<number> {
  const headers = { authorization: `Bearer ${platform.development.admin_key}` };
  const get = (route: string): Promise<Response> => fetch(platform.baseUrl + route, { headers });
  let missing = 0;
  for (const route of [...[...calls].map((id) => `/v1/calls/${id}`), ...[...agents].map((id) => `/v1/agents/${id}`)]) {
    const response = await get(route);
    await response.arrayBuffer();
    if (response.status !== 200) missing += 1;
  }
  const listed = new Set<string>();
  for (let cursor = ''; ;) {
    const page = (await (await get(`/v1/api-keys?limit=100${cursor}`)).json()) as {
      data: readonly { key_id: string }[];
      next_cursor: string | null;
    };
    for (const { key_id } of page.data) listed.add(key_id);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  return missing + [...keys].filter((id) => !listed.has(id)).length;
}

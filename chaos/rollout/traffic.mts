import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchPlatform } from '../../bench/platform.mts';
import { dialed } from '../telephony.mts';

export interface Traffic {
  requests: number;
  /** Counts unexpected responses by request and response. The id of one of these requests helps to find the cause in the logs. */
  readonly errors: Map<string, { readonly times: number; readonly requestId: string }>;
  /** Calls that were accepted with 201. */
  readonly calls: Set<string>;
  stop(): Promise<void>;
}

/** Milliseconds between two requests of one line. */
const everyMs = 60;

/**
 * Sends a customer's requests continuously on a few lines, without any retry: place a call, read it, list calls, save an agent. A response that a client would
 * normally retry counts as an error.
 */
export function startTraffic(platform: BenchPlatform, agentId: string, lines: number): Traffic {
  const state = { going: true };
  const traffic: Traffic = { requests: 0, errors: new Map(), calls: new Set(), stop: () => finish() };
  const working = Promise.all(Array.from({ length: lines }, (_, line) => runLine(line)));
  const finish = async (): Promise<void> => {
    state.going = false;
    await working;
  };

  async function ask(method: string, route: string, wanted: number, body?: object): Promise<Record<string, string>> {
    traffic.requests += 1;
    const answer = await fetch(platform.baseUrl + route, {
      method,
      headers: {
        authorization: `Bearer ${platform.development.admin_key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).then(
      async (given) => ({ status: given.status, text: await given.text() }),
      (error: unknown) => ({ status: 0, text: error instanceof Error ? error.message : String(error) }),
    );
    if (answer.status === wanted) return JSON.parse(answer.text) as Record<string, string>;
    const [, requestId = ''] = /"request_id":"([^"]+)"/.exec(answer.text) ?? [];
    const text = answer.text.replace(requestId, '…').slice(0, 120);
    const what = `${method} ${route.replace(/\/(?:call|agent|agt)_\w+/, '/{id}')}: ${answer.status} ${text}`;
    const sorted = traffic.errors.get(what) ?? { times: 0, requestId };
    traffic.errors.set(what, { ...sorted, times: sorted.times + 1 });
    return {};
  }

  async function runLine(line: number): Promise<void> {
    for (let turn = 0; state.going; turn += 1) {
      const { call_id: id } = await ask('POST', '/v1/calls', 201, {
        agent_id: agentId,
        ...dialed(turn + line),
      });
      if (id !== undefined) {
        traffic.calls.add(id);
        await pause(everyMs);
        await ask('GET', `/v1/calls/${id}`, 200);
      }
      await pause(everyMs);
      await ask('GET', '/v1/agents', 200);
      await pause(everyMs);
      // Only one line saves the agent, because concurrent saves would conflict.
      if (line === 0) await ask('PATCH', `/v1/agents/${agentId}`, 200, { name: `chaos ${turn}` });
      await pause(everyMs);
    }
  }
  return traffic;
}

/** The cost of an MCP tool compared with the same REST route, of listing all tools and those of one toolset, and of a refused batch. */
import { interleaved, load, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';

/** Reads of the same agent by its route and by its tool, and the first page of tools. */
async function targets({
  baseUrl,
  development,
}: BenchPlatform): Promise<Record<'route' | 'tool' | 'list' | 'agents' | 'batch', Target>> {
  const { admin_key, organization_id, project_id } = development;
  const headers = { authorization: `Bearer ${admin_key}`, 'content-type': 'application/json' };
  const made = await fetch(`${baseUrl}/v1/agents`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      organization_id,
      project_id,
      mode: 'hosted',
      name: 'bench',
      system_prompt: 'x'.repeat(300),
    }),
  });
  if (made.status !== 201) throw new Error(`POST /v1/agents: ${made.status} ${await made.text()}`);
  const { agent_id } = (await made.json()) as { agent_id: string };
  const rpc = (title: string, method: string, params: object): Target => ({
    title,
    url: `${baseUrl}/mcp`,
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    status: 200,
  });
  return {
    route: { title: 'GET /v1/agents/{id}', url: `${baseUrl}/v1/agents/${agent_id}`, headers, status: 200 },
    tool: rpc('tools/call get_agent', 'tools/call', { name: 'get_agent', arguments: { agent_id } }),
    list: rpc('tools/list, all tools', 'tools/list', {}),
    agents: { ...rpc('tools/list, toolset agents', 'tools/list', {}), url: `${baseUrl}/mcp?toolsets=agents` },
    batch: {
      ...rpc('a batch of 100 tools/list, refused', 'tools/list', {}),
      body: JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))),
      status: 400,
    },
  };
}

/** The number of tools and their size in bytes, over all pages. */
async function sizeOfList({ url, headers }: Target): Promise<{ tools: number; bytes: number; pages: number }> {
  const size = { tools: 0, bytes: 0, pages: 0 };
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const params = cursor === undefined ? {} : { cursor };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    const text = await (await fetch(url, { method: 'POST', headers, body })).text();
    const { result } = JSON.parse(text) as { result: { tools: unknown[]; nextCursor?: string } };
    size.tools += result.tools.length;
    size.bytes += Buffer.byteLength(text);
    size.pages += 1;
    cursor = result.nextCursor;
  }
  return size;
}

export const bench: BenchRow = {
  title: 'mcp',
  async run({ pairs, seconds }) {
    const home = newHome();
    const platform = await startPlatform(home);
    try {
      const { route, tool, list, agents, batch } = await targets(platform);
      const called = await interleaved(route, tool, pairs, seconds);
      const lists = [];
      for (const target of [list, agents, batch]) {
        await load(target, 2);
        const { perSecond, p50, p99 } = await load(target, seconds);
        const size = target === batch ? {} : await sizeOfList(target);
        lists.push({
          request: target.title,
          ...size,
          'requests/s': Math.round(perSecond),
          'p50/p99 ms': `${p50}/${p99}`,
        });
      }
      const calls = {
        request: tool.title,
        'route/s': Math.round(called.floor.perSecond),
        'tool/s': Math.round(called.ours.perSecond),
        ratio: Number(called.ratio.toFixed(2)),
        'route p50/p99 ms': `${called.floor.p50}/${called.floor.p99}`,
        'tool p50/p99 ms': `${called.ours.p50}/${called.ours.p99}`,
      };
      return [
        { title: `tools/call over its route, ${pairs} interleaved pairs of ${seconds} s, medians`, rows: [calls] },
        { title: 'tools/list', rows: lists },
      ];
    } finally {
      await platform.stop();
      forgetHome(home);
    }
  },
};

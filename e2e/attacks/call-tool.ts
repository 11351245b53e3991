import type { World } from './world';

/** The result of a tool over MCP, as text. */
export async function callTool({ platform }: World, key: string, name: string, given: object): Promise<string> {
  const answer = await fetch(`${platform.baseUrls[0] ?? ''}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  return answer.text();
}

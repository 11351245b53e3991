import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allRoutes } from '@parley/contract';
import { isTool } from './tool';
import { toolsets } from './toolsets';

it.each(allRoutes.map((route) => [route.id, route] as const))(
  '%s has a tool description if and only if it is an MCP tool',
  (_, route) => {
    expect(route.tool !== undefined).toBe(isTool(route));
  },
);

describe('docs/mcp.md', () => {
  const page = readFileSync(path.resolve(__dirname, '../../../../docs/mcp.md'), 'utf8');

  it('names every toolset', () => {
    for (const toolset of toolsets) expect(page).toContain(`\n| \`${toolset}\``);
  });

  it('shows client configurations that read the key from SERVICE_API_KEY, and contains no key', () => {
    const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as object);
    const headers = blocks.map(
      (block) => (block as { mcpServers: { parley: { headers: object } } }).mcpServers.parley.headers,
    );
    expect(headers).toEqual([
      { Authorization: 'Bearer ${SERVICE_API_KEY}' },
      { Authorization: 'Bearer ${env:SERVICE_API_KEY}' },
    ]);
    expect(page).toContain('Authorization: Bearer $SERVICE_API_KEY');
    expect(page).not.toMatch(/tai_[A-Za-z0-9]/);
  });
});

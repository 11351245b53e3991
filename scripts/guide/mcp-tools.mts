import { allRoutes } from '@parley/contract';
import { isTool, toolNameOf } from '../../services/gateway/dist/mcp/tool.js';
import { toolsetOf } from '../../services/gateway/dist/mcp/toolsets.js';

/** docs/reference/mcp-tools.md: the tools as the gateway derives them from the routes. */
export function mcpToolsPage(): string {
  // Two tools for all settings, by their argument `setting`.
  const setting = { toolset: 'agents', at: '/v1/agents/{agent_id}/{setting}' } as const;
  const rows = [
    { ...setting, name: 'get_agent_setting', scope: 'agents:read', at: `GET ${setting.at}` },
    { ...setting, name: 'save_agent_setting', scope: 'agents:write', at: `PUT, DELETE ${setting.at}` },
    ...allRoutes.filter(isTool).map((route) => ({
      name: toolNameOf(route),
      toolset: toolsetOf(route),
      scope: route.scope ?? 'none',
      at: `${route.method} ${route.path}`,
    })),
  ]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, toolset, scope, at }) => `| \`${name}\` | \`${toolset}\` | \`${scope}\` | \`${at}\` |`);
  return [
    '# MCP tools',
    '',
    'Every tool with its toolset, the scope that it needs, and the same operation over REST. [MCP](../mcp.md) describes how tools are used.',
    '',
    '| Tool | Toolset | Scope | The same over REST |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

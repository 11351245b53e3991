import { allRoutes } from '@parley/contract';
import { isTool, toolNameOf } from '../services/gateway/dist/mcp/tool.js';
import { toolsetOf } from '../services/gateway/dist/mcp/toolsets.js';

const begin = '<!-- tools: written by npm run documents -->';
const end = '<!-- end of tools -->';

/**
 * Returns docs/mcp.md with its table of tools, scopes and routes, as the gateway derives them. @throws if the page does not contain the markers of the table
 */
export function withToolsTable(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/mcp.md lacks ${begin} or ${end}`);
  const rows = allRoutes
    .filter(isTool)
    .map((route) => ({
      name: toolNameOf(route),
      toolset: toolsetOf(route),
      scope: route.scope ?? 'none',
      at: `${route.method} ${route.path}`,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, toolset, scope, at }) => `| \`${name}\` | \`${toolset}\` | \`${scope}\` | \`${at}\` |`);
  const table = ['| Tool | Toolset | Scope | The same over REST |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

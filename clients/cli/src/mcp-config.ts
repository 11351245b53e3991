import { Failure } from './failure.js';

/** How each client configures the address of a server, and a header whose key stays in the environment or is entered by the user. */
const shapes: Readonly<Record<string, (url: string) => object>> = {
  claude: (url) => ({
    mcpServers: { parley: { type: 'http', url, headers: { Authorization: 'Bearer ${PARLEY_API_KEY}' } } },
  }),
  cursor: (url) => ({ mcpServers: { parley: { url, headers: { Authorization: 'Bearer ${env:PARLEY_API_KEY}' } } } }),
  vscode: (url) => ({
    inputs: [{ type: 'promptString', id: 'parley-key', description: 'API key of Parley', password: true }],
    servers: { parley: { type: 'http', url, headers: { Authorization: 'Bearer ${input:parley-key}' } } },
  }),
};

/** The configuration of an MCP client. It contains no key, because such files often end up in repositories. */
export function mcpConfig(client: string, baseUrl: string, toolsets: readonly string[]): object {
  const shape = shapes[client];
  if (shape === undefined) throw new Failure('usage', `the clients are ${Object.keys(shapes).join(', ')}`);
  const url = new URL('/mcp', baseUrl);
  if (toolsets.length > 0) url.search = `?toolsets=${toolsets.join(',')}`;
  return shape(url.href);
}

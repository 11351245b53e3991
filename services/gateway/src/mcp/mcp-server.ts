import { ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server';
import type { JsonObject } from '@parley/contract';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import type { Edge } from '../edge';
import type { Exchange } from '../middleware/exchange';
import { callTool } from './call-tool';
import type { RouteTool } from './tool';

export interface McpParts {
  readonly edge: Edge;
  readonly controlState: ControlStateMirror;
  readonly tools: ReadonlyMap<string, RouteTool>;
  /** Tools a page of tools/list. */
  readonly pageSize: number;
}

const identity = { name: 'parley', title: 'Parley', version: '0.1.0' };

const instructions =
  'Parley configures AI voice agents and conducts their telephone calls. Begin with list_agents. An agent is heard in the ' +
  'languages that save_voice_stack published; place_call calls a person: ask before you do it.';

/** One request's server: the protocol keeps nothing between requests. */
export function mcpServer(parts: McpParts, caller: Caller, exchange: Exchange): Server {
  const server = new Server(identity, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', ({ params }) => listTools(parts, params?.cursor));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = parts.tools.get(params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no tool ${params.name}`);
    exchange.route = `mcp ${tool.name}`;
    const given = (params.arguments ?? {}) as JsonObject;
    return callTool(parts.edge, parts.controlState, { tool, given, caller, exchange });
  });
  return server;
}

/** Every tool for every key, in one order everywhere. The cursor is the name after which the page begins. */
function listTools({ tools, pageSize }: McpParts, cursor: string | undefined): { tools: Tool[]; nextCursor?: string } {
  const all = [...tools.values()];
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  const last = after === undefined ? -1 : all.findIndex(({ name }) => name === after);
  if (after !== undefined && last === -1) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'this is no cursor of tools/list');
  }
  const page = all.slice(last + 1, last + 1 + pageSize);
  const end = page.at(-1);
  const more = last + 1 + pageSize < all.length && end !== undefined;
  return {
    tools: page.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
    })),
    ...(more ? { nextCursor: Buffer.from(end.name).toString('base64url') } : {}),
  };
}

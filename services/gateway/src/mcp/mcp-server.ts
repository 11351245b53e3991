import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { JsonObject } from '@parley/contract';
import type { ControlStateMirror } from '@parley/runtime';
import type { RequestPipeline } from '../routes';
import type { Asking } from './asking';
import { callTool } from './call-tool';
import type { RouteTool } from './tool';
import type { ToolList } from './tool-list';

export interface McpParts {
  readonly pipeline: RequestPipeline;
  readonly controlState: ControlStateMirror;
  readonly tools: ReadonlyMap<string, RouteTool>;
  readonly list: ToolList;
}

const identity = { name: 'parley', title: 'Parley', version: '0.1.0' };

const instructions =
  'Parley configures AI voice agents and conducts their telephone calls. Begin with list_agents. An agent is heard in the ' +
  'languages that save_voice_stack published; place_call calls a person: ask before you do it. ' +
  'organization_id is optional in every tool; the default is the organization of the key.';

/** An MCP server for one request, because the protocol is stateless. */
export function mcpServer(parts: McpParts, asking: Asking): Server {
  const { caller, exchange, selection } = asking;
  const server = new Server(identity, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', ({ params }) => {
    const page = parts.list.page(selection, params?.cursor);
    asking.page = page;
    // The endpoint replaces this empty list by the text of the page.
    return { tools: [], ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
  });
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = parts.tools.get(params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'there is no tool with this name');
    exchange.route = `mcp ${tool.name}`;
    const given = (params.arguments ?? {}) as JsonObject;
    return callTool(parts.pipeline, parts.controlState, { tool, given, caller, exchange });
  });
  return server;
}

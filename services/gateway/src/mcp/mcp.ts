import type { IncomingMessage, ServerResponse } from 'node:http';
import { exactRouter, type RequestContext, requestContextOf, type PrefixRouters } from '../http';
import type { ServedRoute } from '../routes';
import type { McpEndpoint, McpEndpointParts } from './endpoint';

export interface McpOptions extends Omit<McpEndpointParts, 'tools' | 'list'> {
  /** Tools per page of tools/list. */
  readonly pageSize: number;
  /** The routes from which tools are derived. */
  readonly served: readonly ServedRoute[];
}

/** Serves POST /mcp. The protocol's SDK and the tools' schemas need about 30 MB, so they are loaded with the first request. */
export class Mcp {
  static readonly path = '/mcp';
  private endpoint: McpEndpoint | undefined;

  constructor(private readonly options: McpOptions) {}

  /** Rejects only if the protocol's SDK cannot be loaded; every other outcome is sent as a response. */
  async serve(request: IncomingMessage, response: ServerResponse, exchange: RequestContext): Promise<void> {
    this.endpoint ??= this.load();
    return this.endpoint.serve(request, response, exchange);
  }

  private load(): McpEndpoint {
    /* eslint-disable @typescript-eslint/no-require-imports -- loaded when it is needed */
    const { McpEndpoint } = require('./endpoint') as typeof import('./endpoint');
    const { toolsOf } = require('./tool') as typeof import('./tool');
    const { ToolList } = require('./tool-list') as typeof import('./tool-list');
    /* eslint-enable @typescript-eslint/no-require-imports */
    const tools = toolsOf(this.options.served);
    return new McpEndpoint({ ...this.options, tools, list: new ToolList([...tools.values()], this.options.pageSize) });
  }
}

/** `/mcp` checks its methods, origins and callers itself, because the protocol has its own errors. */
export function mcpRouters(mcp: Mcp): PrefixRouters {
  const router = exactRouter();
  router.all(Mcp.path, (request, response) => mcp.serve(request, response, requestContextOf(response)));
  return new Map([[Mcp.path, router]]);
}

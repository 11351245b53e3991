import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../middleware/exchange';
import type { ServedRoute } from '../route-table';
import type { McpEndpoint, McpEndpointParts } from './endpoint';

export interface McpOptions extends Omit<McpEndpointParts, 'tools'> {
  /** The routes that tools are derived from. */
  readonly served: readonly ServedRoute[];
}

/** POST /mcp. The protocol's SDK and the schemas of the tools, some 30 MB, come in with the first request. */
export class Mcp {
  static readonly path = '/mcp';
  private endpoint: McpEndpoint | undefined;

  constructor(private readonly options: McpOptions) {}

  /** Rejects only where the protocol cannot be loaded; every other outcome is an answer. */
  async serve(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
    this.endpoint ??= this.load();
    return this.endpoint.serve(request, response, exchange);
  }

  private load(): McpEndpoint {
    /* eslint-disable @typescript-eslint/no-require-imports -- loaded when it is needed */
    const { McpEndpoint } = require('./endpoint') as typeof import('./endpoint');
    const { toolsOf } = require('./tool') as typeof import('./tool');
    /* eslint-enable @typescript-eslint/no-require-imports */
    return new McpEndpoint({ ...this.options, tools: toolsOf(this.options.served) });
  }
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import type { Edge } from '../edge';
import type { Exchange } from '../middleware/exchange';
import { refuseNewWork } from '../middleware/maintenance';
import { RequestBody } from '../middleware/request-body';
import { appErrorOf, renderError } from '../render-error';
import { ownArguments, type RouteTool } from './tool';
import { bodyArguments, sortArguments } from './tool-arguments';

export interface ToolCall {
  readonly tool: RouteTool;
  readonly given: JsonObject;
  readonly caller: Caller;
  readonly exchange: Exchange;
}

/**
 * Calls a tool as its route is called, through the same checks to the same RPC. Never rejects: what is refused is a result with
 * isError, its text being the JSON that REST would have answered, or the words of section 5 rules 7 and 8; an error carries no
 * structured content, because the tool's output schema is that of success.
 */
export async function callTool(
  edge: Edge,
  controlState: ControlStateMirror,
  { tool, given, caller, exchange }: ToolCall,
): Promise<CallToolResult> {
  const { declaration } = tool.route;
  try {
    refuseNewWork(declaration, bodyArguments(tool, given), controlState);
    const { scope } = declaration;
    if (scope !== null && !caller.scopes.includes(scope)) return refused(`missing MCP scopes: ${scope}`);
    const named = given[ownArguments.organizationId];
    if (named !== undefined && caller.organizationId !== '' && named !== caller.organizationId) {
      return refused('MCP organization mismatch');
    }
    const { body: json, ...sorted } = sortArguments(tool, given, caller.organizationId);
    const body = RequestBody.of(declaration, json);
    const [unknown] = body.ignored;
    if (unknown !== undefined) throw new AppError('BadRequestError', `${unknown} is not an argument of ${tool.name}`);
    const answer = await edge.perform(tool.route, { ...sorted, caller, body, setHeader: () => undefined }, exchange);
    const text = answer.body.toString();
    const meta = metaOf(answer.etag, answer.replayed, [...body.ignored, ...(answer.ignored ?? [])]);
    return {
      content: [{ type: 'text', text }],
      structuredContent: JSON.parse(text) as Record<string, unknown>,
      ...(meta === undefined ? {} : { _meta: meta }),
    };
  } catch (thrown) {
    const error = appErrorOf(thrown);
    if (error.code === 'internal_error') exchange.fault = error.cause ?? error;
    return refused(renderError(error, exchange.requestId).body);
  }
}

const refused = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** What REST says in headers. */
function metaOf(
  etag: string | undefined,
  replayed: boolean | undefined,
  ignored: readonly string[],
): Record<string, unknown> | undefined {
  const meta = {
    ...(etag === undefined || etag === '' ? {} : { etag }),
    ...(replayed === true ? { idempotent_replayed: true } : {}),
    ...(ignored.length === 0 ? {} : { ignored_fields: ignored }),
  };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

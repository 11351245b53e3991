import type { CallToolResult } from '@modelcontextprotocol/server';
import { holdsSecrets, removeSecrets, type JsonObject } from '@parley/contract';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import { type RequestPipeline, refuseNewWork } from '../routes';
import { appErrorOf, type RequestContext, renderError, RequestBody } from '../http';
import { ownArguments, type RouteTool } from './tool';
import { bodyArguments, sortArguments } from './tool-arguments';

export interface ToolCall {
  readonly tool: RouteTool;
  readonly given: JsonObject;
  readonly caller: Caller;
  readonly exchange: RequestContext;
}

/**
 * Calls a tool as its route is called, through the same checks to the same RPC. Never rejects: what is refused is a result with
 * isError, its text being the JSON that REST would have answered, or the words of docs/reference/mcp.md; an error carries no
 * structured content, because the tool's output schema is that of success.
 */
export async function callTool(
  pipeline: RequestPipeline,
  controlState: ControlStateMirror,
  { tool, given, caller, exchange }: ToolCall,
): Promise<CallToolResult> {
  const { declaration } = tool.route;
  try {
    refuseNewWork(declaration, bodyArguments(tool, given), controlState);
    const unscoped = missingScopes(tool, caller);
    if (unscoped !== undefined) return unscoped;
    const named = given[ownArguments.organizationId];
    if (named !== undefined && caller.organizationId !== '' && named !== caller.organizationId) {
      return refused('MCP organization mismatch');
    }
    const { body: json, ...sorted } = sortArguments(tool, given, caller.organizationId);
    const body = RequestBody.of(declaration, json);
    const answer = await pipeline.execute(
      tool.route,
      { ...sorted, caller, body, counted: true, setHeader: () => undefined },
      exchange,
    );
    const text = withoutSecrets(tool, answer.body.toString());
    const meta = metaOf(answer.etag, answer.replayed);
    return {
      content: [{ type: 'text', text }],
      structuredContent: JSON.parse(text) as Record<string, unknown>,
      ...(meta === undefined ? {} : { _meta: meta }),
    };
  } catch (thrown) {
    const error = appErrorOf(thrown);
    if (error.code === 'internal_error') exchange.error = error.cause ?? error;
    return refused(renderError(error, exchange.requestId).body);
  }
}

/** The refusal of a call whose scope the key lacks (docs/reference/mcp.md#scopes). */
export function missingScopes({ route }: RouteTool, caller: Caller): CallToolResult | undefined {
  const { scope } = route.declaration;
  return scope === null || caller.scopes.includes(scope) ? undefined : refused(`missing MCP scopes: ${scope}`);
}

/** Whatever the platform makes as a secret: signing secrets, keys, gateway tokens. No result carries one, wherever it stands. */
const secretText = /\b(whsec|tai|tgw)_[A-Za-z0-9+/=_-]{16,}/g;

const withoutSecretTexts = (text: string): string => text.replace(secretText, '$1_***');

/**
 * The answer of a route less its secrets (docs/reference/mcp.md#out-of-reach): a model's context is no place for them. A note names what is missing,
 * so that a model does not look for it.
 */
function withoutSecrets({ route: { declaration } }: RouteTool, text: string): string {
  const plain = withoutSecretTexts(text);
  if (!holdsSecrets(declaration.answer.class)) return plain;
  const document = JSON.parse(plain) as JsonObject;
  const removed = removeSecrets(declaration.answer.class, document);
  if (removed.length === 0) return plain;
  return JSON.stringify({
    ...document,
    secrets_note: `Not shown to MCP clients: ${removed.join(', ')}. Secrets are read over REST only, in the answer that makes them.`,
  });
}

const refused = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: withoutSecretTexts(text) }],
  isError: true,
});

/** What REST says in headers. */
function metaOf(etag: string | undefined, replayed: boolean | undefined): Record<string, unknown> | undefined {
  const meta = {
    ...(etag === undefined || etag === '' ? {} : { etag }),
    ...(replayed === true ? { idempotent_replayed: true } : {}),
  };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import { holdsSecrets, removeSecrets, type JsonObject, type RawQuery } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import { type RequestPipeline, refuseNewWork } from '../routes';
import { appErrorOf, type RequestContext, renderError, RequestBody } from '../http';
import { ownArguments, type RouteTool } from './tool';

export interface ToolCall {
  readonly tool: RouteTool;
  readonly given: JsonObject;
  readonly caller: Caller;
  readonly exchange: RequestContext;
}

/**
 * Calls a tool through the same checks and RPC as its route. Never rejects: a refusal is a result with isError, whose text is the JSON of the REST error, or
 * the text described in docs/reference/mcp.md. Errors have no structured content, because the tool's output schema describes only successes.
 */
export async function callTool(
  pipeline: RequestPipeline,
  controlState: ControlStateMirror,
  call: ToolCall,
): Promise<CallToolResult> {
  const { caller, exchange } = call;
  try {
    const { tool, given } = variantOf(call);
    const { declaration } = tool.route;
    const unscoped = missingScopes(tool, caller);
    if (unscoped !== undefined) return unscoped;
    refuseNewWork(declaration, bodyArguments(tool, given), controlState);
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

/** @throws AppError BadRequestError if the arguments of a tool for several routes name none of them */
function variantOf({ tool, given }: ToolCall): Pick<ToolCall, 'tool' | 'given'> {
  if (tool.variantFor === undefined) return { tool, given };
  const { setting, value, ...others } = given;
  const variant = tool.variantFor(setting, value);
  if (variant === undefined)
    throw badRequest('setting must name a setting of agents; to save one, value is its object or null');
  if (Array.isArray(value) || !['object', 'undefined'].includes(typeof value))
    throw badRequest('value must be an object or null');
  return { tool: variant, given: { ...(value as JsonObject | null | undefined), ...others } };
}

/** The result of a call if the key lacks the tool's scope (docs/reference/mcp.md#scopes); undefined if it has the scope. */
export function missingScopes({ route }: RouteTool, caller: Caller): CallToolResult | undefined {
  const { scope } = route.declaration;
  return scope === null || caller.scopes.includes(scope) ? undefined : refused(`missing MCP scopes: ${scope}`);
}

/** Matches all secrets that the platform creates: signing secrets, keys, gateway tokens. They are removed from results at any depth. */
const secretText = /\b(whsec|tai|tgw)_[A-Za-z0-9+/=_-]{16,}/g;

const withoutSecretTexts = (text: string): string => text.replace(secretText, '$1_***');

/**
 * A route's response without its secrets (docs/reference/mcp.md#out-of-reach), which must not enter a model's context. A note lists the removed fields, so that
 * a model does not search for them.
 */
function withoutSecrets({ route: { declaration } }: RouteTool, text: string): string {
  const plain = withoutSecretTexts(text);
  if (!holdsSecrets(declaration.answer.class)) return plain;
  const document = JSON.parse(plain) as JsonObject;
  const removed = removeSecrets(declaration.answer.class, document);
  if (removed.length === 0) return plain;
  return JSON.stringify({
    ...document,
    secrets_note: `Not shown to MCP clients: ${removed.join(', ')}. Secrets can be read only over REST, in the response that creates them.`,
  });
}

const refused = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: withoutSecretTexts(text) }],
  isError: true,
});

/** Metadata that REST sends in headers. */
function metaOf(etag: string | undefined, replayed: boolean | undefined): Record<string, unknown> | undefined {
  const meta = {
    ...(etag === undefined || etag === '' ? {} : { etag }),
    ...(replayed === true ? { idempotent_replayed: true } : {}),
  };
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** A tool's arguments, divided into the path, query and body of the REST request. */
interface SortedArguments {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly body: JsonObject;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string;
}

/**
 * Divides a tool's arguments.
 * @param organizationId the key's organization; it is used for a required body field, so that a model need not know it
 * @throws AppError BadRequestError naming an argument that is missing or has the wrong type; the owning service validates the body fields
 */
function sortArguments(tool: RouteTool, given: JsonObject, organizationId: string): SortedArguments {
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const name of tool.inPath) params[name] = text(name, given[name]);
  for (const name of tool.inQuery) {
    const value = given[name];
    if (isEntries(value)) for (const [key, of] of Object.entries(value)) query[`${name}[${key}]`] = queryText(name, of);
    else if (value !== undefined) query[name] = queryText(name, value);
  }
  const body = bodyArguments(tool, given);
  const { declaration } = tool.route;
  const named = given[ownArguments.organizationId];
  if (named !== undefined) body[ownArguments.organizationId] = named;
  else if (organizationId !== '' && tool.needsOrganization) body[ownArguments.organizationId] = organizationId;
  return {
    params,
    query,
    body,
    idempotencyKey: declaration.creates ? optionalText(given, ownArguments.idempotencyKey) : undefined,
    ifMatch: declaration.conditional ? (optionalText(given, ownArguments.ifMatch) ?? '') : '',
  };
}

/** The arguments that form the body of the REST request, without the organization. */
function bodyArguments(tool: RouteTool, given: JsonObject): JsonObject {
  const body: JsonObject = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || tool.inPath.includes(name) || tool.inQuery.includes(name)) continue;
    if (!isOwn(tool, name)) body[name] = value;
  }
  return body;
}

/** Whether an argument is one of the common arguments and not a body field. If the body has a field with that name, the argument is also a body field. */
function isOwn({ route: { declaration }, bodyFields }: RouteTool, name: string): boolean {
  if (name === ownArguments.organizationId) return true;
  if (name === ownArguments.idempotencyKey) return declaration.creates && !bodyFields.has(name);
  return name === ownArguments.ifMatch && declaration.conditional;
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw badRequest(`${name} is required and must be a string`);
  return value;
}

function optionalText(given: JsonObject, name: string): string | undefined {
  const value = given[name];
  return value === undefined ? undefined : text(name, value);
}

/** An object, whose entries are parameters of their own. */
const isEntries = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The argument's value as text, as it would be in a query string. */
function queryText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  throw badRequest(`${name} must be a string, a number, true, false or a list of strings`);
}

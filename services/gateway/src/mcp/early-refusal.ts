import type { IncomingHttpHeaders } from 'node:http';
import { PROTOCOL_VERSION_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Caller } from '@parley/runtime';
import { missingScopes } from './call-tool';
import type { RouteTool } from './tool';

/** The methods supported in these revisions; others are refused here. */
const methods: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover', 'tools/list', 'tools/call']);

/**
 * The response to a request of the 2025 revisions that is refused without looking at its details: an unknown method, an unknown tool, or a missing scope. The
 * SDK would give the same response, but only after creating a server, a transport and two web objects. Undefined: the SDK must handle the request.
 */
export function refuseEarly(
  tools: ReadonlyMap<string, RouteTool>,
  message: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
  caller: Caller,
): object | undefined {
  const { jsonrpc, id, method } = message;
  const identified = typeof id === 'string' || Number.isInteger(id);
  if (jsonrpc !== '2.0' || !identified || typeof method !== 'string' || !isOf2025(message, headers)) return undefined;
  const error = (code: number, text: string) => ({ jsonrpc, id, error: { code, message: text } });
  if (!methods.has(method)) return error(-32601, 'Method not found');
  const params = isObject(message['params']) ? message['params'] : {};
  const name = params['name'];
  if (method !== 'tools/call' || typeof name !== 'string') return undefined;
  const given = params['arguments'];
  if (given !== undefined && !isObject(given)) return undefined;
  const tool = tools.get(name);
  if (tool === undefined) return error(-32602, 'there is no tool with this name');
  const result = missingScopes(tool, caller);
  return result === undefined ? undefined : { jsonrpc, id, result };
}

function isOf2025({ params }: Readonly<Record<string, unknown>>, headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version'];
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.some((known) => known === version)) return false;
  if (headers['mcp-method'] !== undefined || !isObject(params)) return headers['mcp-method'] === undefined;
  const meta = params['_meta'];
  return !isObject(meta) || !Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { parseJsonStrict } from '@parley/contract';
import { forbidden, internal } from '@parley/errors';
import type { Caller } from '@parley/runtime';
import { fail } from '../edge';
import { refuseContentEncoding } from '../middleware/content-encoding';
import type { Exchange } from '../middleware/exchange';
import { readBody } from '../middleware/read-body';
import { methodNotAllowed } from '../render-error';
import { mcpServer, type McpParts } from './mcp-server';

export interface McpEndpointParts extends McpParts {
  /** Origins of browsers that may ask; none by default. */
  readonly allowedOrigins: readonly string[];
}

/** Who asks, and by which request. */
class Asking {
  constructor(
    readonly caller: Caller,
    readonly exchange: Exchange,
  ) {}
}

/** POST /mcp (decisions section 7): stateless Streamable HTTP with JSON answers, the 2025 revisions and 2026-07-28. */
export class McpEndpoint {
  private readonly modern: McpHttpHandler;

  constructor(private readonly parts: McpEndpointParts) {
    this.modern = createMcpHandler(({ authInfo }) => this.serverFor(askingOf(authInfo?.extra)), {
      legacy: 'reject',
      // Nothing that is listed ever changes while a process runs, so a stream of changes is refused; every answer is JSON, because
      // no handler notifies.
      maxSubscriptions: 0,
    });
  }

  /** Never rejects: every outcome is an answer. */
  async serve(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
    exchange.route = 'mcp';
    try {
      if (exchange.method !== 'POST') {
        throw methodNotAllowed(['POST']);
      }
      const { origin } = request.headers;
      if (origin !== undefined && !this.parts.allowedOrigins.includes(origin)) {
        throw forbidden('this origin is not allowed');
      }
      const caller = await this.parts.edge.callerOf(request, exchange);
      refuseContentEncoding(request);
      const bytes = await readBody(request, response);
      await this.answer(request, response, bytes, new Asking(caller, exchange));
    } catch (error) {
      fail(request, response, exchange, error);
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer,
    asking: Asking,
  ): Promise<void> {
    const parsed = parse(bytes);
    if ('fault' in parsed) {
      await send(response, Response.json(parsed.fault, { status: 400 }), asking.exchange);
      return;
    }
    const { body } = parsed;
    if (asking.caller.kind === 'gateway') admitGatewayToken(body);
    const web = webRequest(request, bytes);
    const legacy = await isLegacyRequest(web, body);
    const answer = legacy ? await this.legacy(web, body, asking) : await this.askModern(web, body, asking);
    await send(response, answer, asking.exchange);
  }

  private askModern(web: Request, parsedBody: unknown, asking: Asking): Promise<Response> {
    const { keyId, scopes } = asking.caller;
    // The token itself stays at the edge: nothing behind it needs one.
    const authInfo = { token: '', clientId: keyId, scopes: [...scopes], extra: { asking } };
    return this.modern.fetch(web, { parsedBody, authInfo });
  }

  private async legacy(web: Request, parsedBody: unknown, asking: Asking): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = this.serverFor(asking);
    await server.connect(transport);
    try {
      return await transport.handleRequest(web, { parsedBody });
    } finally {
      await server.close();
    }
  }

  private serverFor({ caller, exchange }: Asking) {
    return mcpServer(this.parts, caller, exchange);
  }
}

function askingOf(extra: Record<string, unknown> | undefined): Asking {
  const asking = extra?.['asking'];
  if (!(asking instanceof Asking)) throw internal(new Error('an MCP request without its caller'));
  return asking;
}

/** A gateway token lists tools and nothing else (section 5 rule 9). */
function admitGatewayToken(body: unknown): void {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
  if (method !== 'tools/list') throw forbidden('a gateway token may do nothing but tools/list here');
}

interface RpcFault {
  readonly jsonrpc: '2.0';
  readonly id: null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Strictly, as every body; what is JSON but no object (a batch, say) goes on, for the protocol to refuse in its words. */
function parse(bytes: Buffer): { readonly body: unknown } | { readonly fault: RpcFault } {
  try {
    return { body: parseJsonStrict(bytes) };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not JSON';
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString('utf8'));
    } catch {
      return { fault: { jsonrpc: '2.0', id: null, error: { code: -32700, message } } };
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { body: value };
    return { fault: { jsonrpc: '2.0', id: null, error: { code: -32600, message } } };
  }
}

/**
 * Headers that the protocol reads. A bare call is taken for one that accepts what we send, and its body for JSON, as on every route
 * (who sends a browser's form is refused by Origin).
 */
function webRequest({ headers }: IncomingMessage, bytes: Buffer): Request {
  const web = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name.startsWith('mcp-')) web.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers: web, body: bytes });
}

async function send(response: ServerResponse, answer: Response, { requestId }: Exchange): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  const headers: Record<string, string | number> = {
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  };
  answer.headers.forEach((value, name) => {
    if (name !== 'content-length') headers[name] = value;
  });
  response.writeHead(answer.status, headers);
  response.end(body);
}

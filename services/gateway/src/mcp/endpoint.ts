import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { limits, type JsonObject } from '@parley/contract';
import { forbidden, internal } from '@parley/errors';
import { readBody, type ControlStateMirror } from '@parley/runtime';
import { type RequestContext, fail, methodNotAllowed, refuseContentEncoding } from '../http';
import type { RequestPipeline } from '../routes';
import { Asking } from './asking';
import { LargeMessages } from './large-messages';
import { refuseEarly } from './early-refusal';
import { labelOf, readMessage } from './message';
import { withPage, type ToolList } from './tool-list';
import { parseSelection } from './toolsets';
import { callTool } from './call-tool';
import type { RouteTool } from './tool';

export interface McpEndpointParts extends McpParts {
  /** Browser origins that may call this endpoint; default: none. */
  readonly allowedOrigins: readonly string[];
}

/** POST /mcp (docs/reference/mcp.md): stateless Streamable HTTP with JSON responses, in the 2025 revisions of the protocol and in 2026-07-28. */
export class McpEndpoint {
  private readonly modern: McpHttpHandler;
  private readonly large: LargeMessages;

  constructor(private readonly parts: McpEndpointParts) {
    this.large = new LargeMessages(parts.tools);
    this.modern = createMcpHandler(({ authInfo }) => this.serverFor(askingOf(authInfo?.extra)), {
      legacy: 'reject',
      // Lists do not change while a process runs, so streams of notifications are refused. Every response is JSON, because no handler sends notifications.
      maxSubscriptions: 0,
    });
  }

  /** Never rejects: every outcome is sent as a response. */
  async serve(request: IncomingMessage, response: ServerResponse, exchange: RequestContext): Promise<void> {
    exchange.route = 'mcp';
    try {
      if (exchange.method !== 'POST') {
        throw methodNotAllowed(['POST']);
      }
      const { origin } = request.headers;
      if (origin !== undefined && !this.parts.allowedOrigins.includes(origin)) {
        throw forbidden('this origin is not allowed');
      }
      const { pipeline } = this.parts;
      const caller = await pipeline.identifyCaller(request, exchange);
      // Checked before the message is read, because refusing here is cheapest.
      const admitted = pipeline.admit(caller, (name, value) => response.setHeader(name, value));
      if (admitted !== undefined) await admitted;
      refuseContentEncoding(request);
      const selection = parseSelection(request.url ?? '');
      this.large.announced(request.headers, caller);
      const account = pipeline.bodyAccount(exchange);
      const bytes = await readBody(request, response, { limit: limits.bodyBytes, account });
      await this.answer(request, response, bytes, new Asking(caller, exchange, selection));
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
    const { caller, exchange } = asking;
    if (caller.kind === 'gateway' && bytes.length > gatewayMessageBytes) throw onlyLists();
    const unparsed = this.large.refused(bytes, caller);
    if (unparsed !== undefined) {
      exchange.route = 'mcp tools/call';
      writeJson(response, 200, unparsed, exchange);
      return;
    }
    const read = readMessage(bytes);
    if ('refusal' in read) {
      const { kind, code, message } = read.refusal;
      exchange.route = `mcp ${kind}`;
      writeJson(response, 400, { jsonrpc: '2.0', id: null, error: { code, message } }, exchange);
      return;
    }
    const { body } = read;
    exchange.route = labelOf(body);
    // A gateway token may only list tools (docs/reference/keys.md#gateway-tokens).
    if (caller.kind === 'gateway' && body['method'] !== 'tools/list') throw onlyLists();
    const refusal = refuseEarly(this.parts.tools, body, request.headers, caller);
    if (refusal !== undefined) {
      writeJson(response, 200, refusal, exchange);
      return;
    }
    const web = webRequest(request);
    const legacy = await isLegacyRequest(web, body);
    const answer = legacy ? await this.legacy(web, body, asking) : await this.askModern(web, body, asking);
    await send(response, answer, asking);
  }

  private askModern(web: Request, parsedBody: unknown, asking: Asking): Promise<Response> {
    const { keyId, scopes } = asking.caller;
    // The token is not forwarded: no service needs it.
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

  private serverFor(asking: Asking) {
    return mcpServer(this.parts, asking);
  }
}

function askingOf(extra: Record<string, unknown> | undefined): Asking {
  const asking = extra?.['asking'];
  if (!(asking instanceof Asking)) throw internal(new Error('an MCP request has no caller'));
  return asking;
}

/** The maximum size of a gateway token's message; tools/list needs less. */
const gatewayMessageBytes = 8 * 1024;

const onlyLists = () => forbidden('a gateway token may only call tools/list on this endpoint');

/**
 * A web request with the headers that the protocol reads; the parsed body is passed separately. Without Accept and Content-Type headers, the request is treated
 * as JSON and as accepting the response format, as on every route. (A browser's form post is refused because of its Origin.)
 */
function webRequest({ headers }: IncomingMessage): Request {
  const web = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name.startsWith('mcp-')) web.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers: web });
}

async function send(response: ServerResponse, answer: Response, { page, exchange }: Asking): Promise<void> {
  const text = Buffer.from(await answer.arrayBuffer());
  const parts = page === undefined ? [text] : withPage(text, page);
  write(response, answer.status, Object.fromEntries(answer.headers), parts, exchange);
}

function writeJson(response: ServerResponse, status: number, message: object, exchange: RequestContext): void {
  const text = Buffer.from(JSON.stringify(message));
  write(response, status, { 'content-type': 'application/json' }, [text], exchange);
}

function write(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  parts: readonly Buffer[],
  { requestId }: RequestContext,
): void {
  response.writeHead(status, {
    ...headers,
    'content-length': parts.reduce((sum, part) => sum + part.length, 0),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  response.cork();
  for (const part of parts) response.write(part);
  response.uncork();
  response.end();
}

interface McpParts {
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
function mcpServer(parts: McpParts, asking: Asking): Server {
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

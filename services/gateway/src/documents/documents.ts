import type { IncomingMessage, ServerResponse } from 'node:http';
import { asyncApiDocument, openApiDocument } from '@parley/contract';
import { fail } from '../edge';
import type { Exchange } from '../middleware/exchange';
import { methodNotAllowed } from '../render-error';
import { jsonResource, type Content, type Resource } from './resource';
import { viewerResources } from './viewer';

const allow = ['GET', 'HEAD'];

/** Scripts, styles and requests of this origin alone; `data:` is for the icons in the viewer's style sheet. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * What describes the interface: `/openapi.json` and `/asyncapi.json`, generated here from the contract that this gateway serves,
 * and `/docs`, which shows the first. For everybody, without a key. GET and HEAD, others are 405.
 */
export class Documents {
  private readonly resources: ReadonlyMap<string, Resource> = new Map([
    ['/openapi.json', jsonResource(openApiDocument())],
    ['/asyncapi.json', jsonResource(asyncApiDocument())],
    ...viewerResources(),
  ]);

  /** True where the request was one for a document; its answer is then on the way. */
  answer(request: IncomingMessage, response: ServerResponse, exchange: Exchange): boolean {
    const resource = this.resources.get(exchange.path);
    if (resource === undefined) return false;
    exchange.route = 'documents';
    if (!allow.includes(exchange.method)) {
      fail(request, response, exchange, methodNotAllowed(allow));
      return true;
    }
    resource().then(
      (content) => send(request, response, exchange, content),
      (error: unknown) => fail(request, response, exchange, error),
    );
    return true;
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { method, requestId }: Exchange,
  { type, body, etag }: Content,
): void {
  const headers: Record<string, string | number> = {
    ETag: etag,
    // Kept, but asked for each time: a new version shows at once, and what has not changed is not sent again.
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Request-Id': requestId,
  };
  // A body that was announced but not invited would be taken for the next request.
  if (request.headers.expect !== undefined && !request.complete) headers.Connection = 'close';
  if (isHeld(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
}

/** True where If-None-Match names the tag; compared weakly, as RFC 9110 section 13.1.2 says. */
function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

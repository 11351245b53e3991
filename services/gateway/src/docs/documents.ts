import type { IncomingMessage, ServerResponse } from 'node:http';
import { asyncApiDocument, openApiDocument } from '@parley/contract';
import type { RequestHandler } from 'express';
import { allowOnly, exactRouter, exchangeOf, isHeld, prefixOf, type PrefixRouters } from '../http';
import { jsonResource, type Content } from './resource';
import { viewerResources } from './viewer';

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
export function documentRouters(): PrefixRouters {
  const router = exactRouter();
  const resources = new Map([
    ['/openapi.json', jsonResource(openApiDocument())],
    ['/asyncapi.json', jsonResource(asyncApiDocument())],
    ...viewerResources(),
  ]);
  for (const [path, resource] of resources) {
    router
      .route(path)
      .all(named, allowOnly(['GET', 'HEAD']))
      .get(async (request, response) => send(request, response, await resource()));
  }
  return new Map([...resources.keys()].map((path) => [prefixOf(path), router]));
}

/** For log lines and metrics. */
const named: RequestHandler = (_request, response, next) => {
  exchangeOf(response).route = 'documents';
  next();
};

function send(request: IncomingMessage, response: ServerResponse, { type, body, etag }: Content): void {
  const { method, requestId } = exchangeOf(response);
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

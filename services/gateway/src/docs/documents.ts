import { asyncApiDocument, openApiDocument } from '@parley/contract';
import type { RequestHandler } from 'express';
import { allowOnly, exactRouter, requestContextOf, prefixOf, type PrefixRouters } from '../http';
import { jsonResource } from './resource';
import { sendContent } from './send-content';
import { viewerResources } from './viewer';

/** Allows scripts, styles and requests only from this origin; `data:` is for the icons in the viewer's style sheet. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // For audio in a response.
  "media-src 'self' blob:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Serves the interface descriptions: `/openapi.json` and `/asyncapi.json`, generated from the contract that this gateway serves, and `/docs`, which displays
 * them; `/` redirects there. They need no key. Methods other than GET and HEAD are 405.
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
      .get(async (request, response) => sendContent(request, response, await resource(), contentSecurityPolicy));
  }
  router
    .route('/')
    .all(named, allowOnly(['GET', 'HEAD']))
    .get((_request, response) => response.redirect(302, '/docs'));
  return new Map(['/', ...resources.keys()].map((path) => [prefixOf(path), router]));
}

/** Names the route for log lines and metrics. */
const named: RequestHandler = (_request, response, next) => {
  requestContextOf(response).route = 'documents';
  next();
};

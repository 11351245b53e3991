import { Router, type RequestHandler } from 'express';
import { requestContextOf } from './request-context';

/** Routers by the prefix that their paths share: the first segment, or under /v1 the first two. */
export type PrefixRouters = ReadonlyMap<string, Router>;

/** A router that matches paths exactly: case and a trailing slash are significant. */
export const exactRouter = (): Router => Router({ caseSensitive: true, strict: true });

/**
 * Passes a request to the router of its prefix. A map is used because Express tries mounted routers one after another, and again when an error propagates (ADR
 * 34).
 */
export function byPrefix(routers: PrefixRouters): RequestHandler {
  return (request, response, next) => {
    const router = routers.get(prefixOf(requestContextOf(response).path));
    if (router === undefined) next();
    else router(request, response, next);
  };
}

export function prefixOf(path: string): string {
  const end = path.indexOf('/', path.startsWith('/v1/') ? '/v1/'.length : 1);
  return end === -1 ? path : path.slice(0, end);
}

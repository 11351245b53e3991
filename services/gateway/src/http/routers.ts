import { Router, type RequestHandler } from 'express';
import { requestContextOf } from './request-context';

/** Routers by the prefix that all their paths begin with: one segment, or two under /v1. */
export type PrefixRouters = ReadonlyMap<string, Router>;

/** A router whose paths are whole and literal: case and a slash at the end count. */
export const exactRouter = (): Router => Router({ caseSensitive: true, strict: true });

/**
 * Hands a request to the router of its prefix. A map, because Express tries one mounted router after the other, on the way out with an error
 * again (ADR 34).
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

import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';
import type { Request, Router } from 'express';
import type { Dispatcher } from 'undici';
import { addressGroup, readUpload, type BodyBudget, type Logger, clientAddress } from '@parley/runtime';
import { allRoutes, limits, type AnyRoute } from '@parley/contract';
import { apiHeaders, refuse } from '../same-origin';
import type { Sealer } from '../sealed-cookie';
import type { GatewayClient } from './gateway-client';

interface Parts {
  readonly gateway: GatewayClient;
  readonly seal: Sealer;
  readonly log: Logger;
  readonly trustedProxies: number;
  readonly bodyBudget: BodyBudget;
  /** Aborted when the process drains: streams end, and pages connect to another process. */
  readonly leaving: AbortSignal;
}

const passedOn = [
  'accept',
  'content-type',
  'content-length',
  'idempotency-key',
  'if-match',
  'if-range',
  'last-event-id',
  'range',
  'traceparent',
] as const;

const passedBack = [
  'accept-ranges',
  'content-length',
  'content-range',
  'content-type',
  'deprecation',
  'etag',
  'retry-after',
  'x-ignored-fields',
  'x-request-id',
] as const;

/** No executable or renderable content is returned. */
const harmless = /^(application\/json|text\/event-stream|audio\/[a-z0-9.+-]+)\s*(;|$)/i;

/** `/console/api/v1/…`: the platform's own routes, with the session's key. Bodies, event streams and ranges are forwarded unchanged. */
export function proxyRouter({ gateway, seal, log, trustedProxies, bodyBudget, leaving }: Parts): Router {
  const router = express.Router();
  router.use(async (request, response) => {
    const [path = ''] = request.originalUrl.slice('/console/api'.length).split('?', 1);
    if (!isReachable(request.method, path)) {
      refuse(response, 404, 'not_found', 'no such route');
      return;
    }
    const token = seal.read(request.headers.cookie);
    if (token === undefined) {
      refuse(response, 401, 'UnauthorizedError', 'there is no session; sign in');
      return;
    }
    const gone = new AbortController();
    const end = (): void => gone.abort();
    leaving.addEventListener('abort', end);
    response.on('close', () => {
      leaving.removeEventListener('abort', end);
      end();
    });
    const upstream = upstreamOf(request, token, trustedProxies);
    if (hasContent(request)) {
      const address = addressGroup(upstream.headers['x-forwarded-for'] ?? '');
      const account = bodyBudget.open({ address, keyId: hash('sha256', token) });
      const bytes = readUpload(request, response, { limit: limits.contactsCsvBytes, account, window: 0 });
      upstream.body = Readable.from(bytes, { objectMode: false });
    }
    let answer: Dispatcher.ResponseData;
    try {
      answer = await gateway.pass({ ...upstream, signal: gone.signal });
    } catch (error) {
      // The body was too slow or too large.
      if (error instanceof Error && 'status' in error) throw error;
      if (response.destroyed) return;
      log.warn({ err: error }, 'the gateway does not respond');
      response.set('Retry-After', '1');
      refuse(response, 503, 'unavailable', 'the platform does not answer');
      return;
    }
    const type = String(answer.headers['content-type'] ?? '');
    if (answer.statusCode !== 304 && answer.statusCode !== 204 && !harmless.test(type)) {
      answer.body.destroy();
      refuse(response, 502, 'unexpected_answer', 'the platform answered with something that is no JSON and no sound');
      return;
    }
    if (answer.statusCode === 401) seal.clear(response);
    response.status(answer.statusCode).set(apiHeaders);
    for (const name of passedBack) {
      const value = answer.headers[name];
      if (value !== undefined) response.set(name, value);
    }
    // Disables buffering of events in proxies in front of the console.
    if (type.startsWith('text/event-stream')) response.set('X-Accel-Buffering', 'no').flushHeaders();
    await pipeline(answer.body, response).catch((error: unknown) => {
      log.debug({ err: error }, 'an answer was cut short');
    });
  });
  return router;
}

interface Upstream {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  body: Readable | null;
}

function upstreamOf(request: Request, token: string, trustedProxies: number): Upstream {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    ...clientHeaders(request, trustedProxies),
  };
  for (const name of passedOn) {
    const value = request.get(name);
    if (value !== undefined) headers[name] = value;
  }
  if (!hasContent(request)) delete headers['content-length'];
  return { method: request.method, path: request.originalUrl.slice('/console/api'.length), headers, body: null };
}

const hasContent = (request: Request): boolean =>
  request.method !== 'GET' &&
  request.method !== 'HEAD' &&
  (request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0);

/** Routes not available to pages: session keys, whose token would be in the response, and those for workers, media gateways and carriers. */
const closed = /^\/v1\/(sessions|worker-jobs\/.*|gateway\/.*|carriers\/.*|component-credentials\/lease)$/;

const isForPeople = ({ path, audience }: AnyRoute): boolean =>
  !closed.test(path) && audience.some((kind) => kind === 'customer' || kind === 'operator');

const reachable = allRoutes.filter(isForPeople).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[A-Za-z0-9_.~+-]+')}$`),
}));

/**
 * Whether pages may use a route: declared by the platform, for people.
 * @param path without a query, such as /v1/calls
 */
export const isReachable = (method: string, path: string): boolean =>
  reachable.some(
    (route) => (route.method === method || (method === 'HEAD' && route.method === 'GET')) && route.pattern.test(path),
  );

/** Whose request the console passes on, for limits by address and the audit log. The gateway believes the address if it comes with the console's certificate. */
export function clientHeaders(request: Request, trustedProxies: number): Record<string, string> {
  const userAgent = request.get('user-agent');
  return {
    'x-forwarded-for': clientAddress(request, trustedProxies),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@parley/errors';
import { LateRefusals, pathWithoutSecrets, type HttpEdge } from '@parley/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { answerConnectionErrors, hostError } from './connection-errors';
import { attachRequestContext, RequestContext, requestContextOf } from './request-context';
import { expressApp } from './express-app';
import { sendErrors } from './fail';
import { recordRequest, type RequestRecorder } from './request-log';
import { pathOf, routableTarget } from './request-target';
import { byPrefix, type PrefixRouters } from './routers';
import { asksForWebSocket, takeUpgrades } from './web-socket';

export interface AppParts {
  /** Health probes, which are handled first and not logged. */
  readonly probes: PrefixRouters;
  readonly routers: PrefixRouters;
  readonly recorder: RequestRecorder;
  /** The timeout for receiving a whole request. */
  readonly requestTimeoutSeconds: number;
  /** PUBLIC_URL; if it is https, responses contain HSTS for browsers. */
  readonly publicUrl?: string | undefined;
}

/** Headers of every response. TLS is terminated in front of this port, so only PUBLIC_URL shows whether clients use it. */
const headersOf = (publicUrl: string | undefined): readonly (readonly [name: string, value: string])[] => [
  ['X-Content-Type-Options', 'nosniff'],
  ...(publicUrl?.startsWith('https:') === true ? [['Strict-Transport-Security', 'max-age=31536000'] as const] : []),
];

/** The HTTP side of the gateway: an Express application whose middlewares follow the order of checks in docs/reference/requests.md. */
export function httpEdge({ probes, routers, recorder, requestTimeoutSeconds, publicUrl }: AppParts): HttpEdge {
  const headers = headersOf(publicUrl);
  const refusals = new LateRefusals();
  const { app, server } = expressApp();
  // After an error, Express leaves a router only in the next tick of the event loop. Until then, the arriving rest of the request may change its response.
  // Therefore every router ends with the application's error handler.
  for (const router of new Set(routers.values())) router.use(noSuchRoute, sendErrors);
  app.use(
    byPrefix(probes),
    recordTo(recorder),
    requireOneHost,
    refuseBrokenEscapes,
    byPrefix(routers),
    noSuchRoute,
    sendErrors,
  );
  return {
    words: recorder.words,
    server: { ...server, shouldUpgradeCallback: asksForWebSocket },
    handler: (request, response) => {
      for (const [name, value] of headers) response.setHeader(name, value);
      const exchange = begin(request, response, recorder, refusals);
      app(request as Request, response as Response, (error: unknown) => {
        // Reached only if the error handler itself failed.
        exchange.error = error;
        response.destroy();
      });
    },
    onServer: (listening) => {
      listening.requestTimeout = requestTimeoutSeconds * 1_000;
      takeUpgrades(listening, server.ServerResponse);
      answerConnectionErrors(listening, (request) => routeNotFound(pathOf(request)));
    },
  };
}

function begin(
  request: IncomingMessage,
  response: ServerResponse,
  { clock }: RequestRecorder,
  refusals: LateRefusals,
): RequestContext {
  const exchange = new RequestContext(
    request.method ?? '',
    pathOf(request),
    clock.monotonicMs(),
    String(request.headers.traceparent),
    refusals,
  );
  attachRequestContext(response, exchange);
  const { url = '' } = request;
  const target = routableTarget(url);
  if (target !== url) Object.assign(request, { url: target, originalUrl: url });
  return exchange;
}

const recordTo =
  (recorder: RequestRecorder): RequestHandler =>
  (_request, response, next) => {
    const exchange = requestContextOf(response);
    response.on('close', () => recordRequest(recorder, exchange, response));
    next();
  };

const requireOneHost: RequestHandler = (request, response, next) => {
  const error = hostError(request);
  if (error !== undefined) {
    requestContextOf(response).closeOnError = true;
    throw error;
  }
  next();
};

/** A path whose escapes are not valid UTF-8 matches no route. Without this check Express would respond with 400. */
const refuseBrokenEscapes: RequestHandler = (_request, response, next) => {
  const { path } = requestContextOf(response);
  if (path.includes('%') && !isDecodable(path)) throw routeNotFound(path);
  next();
};

const noSuchRoute: RequestHandler = (_request, response) => {
  throw routeNotFound(requestContextOf(response).path);
};

/** The response may be copied into a bug report, so it does not repeat the token of a demo's link either. */
const routeNotFound = (path: string): AppError =>
  new AppError('not_found', 'no such route', { fields: { path: pathWithoutSecrets(path) } });

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

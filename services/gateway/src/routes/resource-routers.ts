import type { Method } from '@parley/contract';
import type { RequestHandler, Response, Router } from 'express';
import {
  acceptWebSocket,
  allowOnly,
  exactRouter,
  requestContextOf,
  identityEncoding,
  parseQuery,
  prefixOf,
  type PrefixRouters,
  readBody,
  readUpload,
  RequestBody,
  sendAnswer,
  sendRanged,
  sendStream,
  uploadOf,
} from '../http';
import { requireScope } from '../auth';
import type { RequestPipeline } from './request-pipeline';
import type { Admission } from './caller-request';
import type { PathEntry, ServedRoute } from './route-table';
import { streamRequest } from './stream-request';

/** One router per resource, generated from the declared routes. The middlewares of each route follow the order in docs/reference/requests.md. */
export function resourceRouters(table: readonly PathEntry[], pipeline: RequestPipeline): PrefixRouters {
  const routers = new Map<string, Router>();
  for (const { path, allow, methods } of [...table].sort(fixedFirst)) {
    const prefix = prefixOf(path);
    const router = routers.get(prefix) ?? exactRouter();
    routers.set(prefix, router);
    const route = router.route(path.replace(/\{(\w+)\}/g, ':$1'));
    route.all(allowOnly(allow));
    for (const served of methods.values()) {
      route[verbs[served.declaration.method]](
        authenticate(pipeline, served),
        identityEncoding,
        readCall(pipeline, served),
        pass(pipeline),
        serve(pipeline, served),
      );
    }
  }
  return routers;
}

const verbs: Readonly<Record<Method, 'get' | 'post' | 'put' | 'patch' | 'delete'>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Express takes the first match, so paths with a fixed segment are registered before those with a parameter at the same position. */
const fixedFirst = (one: PathEntry, other: PathEntry): number => (rankOf(one) < rankOf(other) ? -1 : 1);

const rankOf = ({ path }: PathEntry): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');

const authenticate =
  (pipeline: RequestPipeline, { declaration }: ServedRoute): RequestHandler =>
  async (request, response, next) => {
    const exchange = requestContextOf(response);
    exchange.route = declaration.id;
    await pipeline.identifyCaller(request, exchange);
    next();
  };

/** Reads the body. With it the request is complete, so that it can be checked. */
const readCall =
  (pipeline: RequestPipeline, route: ServedRoute): RequestHandler =>
  (request, response, next) => {
    const { declaration } = route;
    const proceed = (body: RequestBody): void => {
      const exchange = requestContextOf(response);
      const { caller } = exchange;
      if (caller === undefined) throw new Error('the caller is not authenticated yet');
      const call = {
        caller,
        // Each parameter matches only one segment, so its value is a string.
        params: request.params as Record<string, string>,
        body,
        query: parseQuery(request),
        idempotencyKey: request.headers['idempotency-key'],
        ifMatch: request.headers['if-match'] ?? '',
        stream: streamRequest(pipeline, declaration, request, response),
        setHeader: (name: string, value: string | number) => void response.setHeader(name, value),
      };
      const admission: Admission = { route, call, exchange, organizationId: '' };
      response.locals.admission = admission;
      next();
    };
    const upload = uploadOf(declaration, request);
    if (upload !== undefined) {
      proceed(RequestBody.uploaded(declaration, readUpload(request, response, upload), upload));
      return undefined;
    }
    const bytes = readBody(request, response);
    if (bytes instanceof Promise) return bytes.then((read) => proceed(RequestBody.parse(declaration, read)));
    return proceed(RequestBody.parse(declaration, bytes));
  };

const admissionOf = (response: Response): Admission => response.locals.admission as Admission;

/** One middleware runs all checks, because calling a further middleware costs more than most checks. */
const pass =
  (pipeline: RequestPipeline): RequestHandler =>
  (_request, response, next) => {
    const pending = pipeline.pass(admissionOf(response));
    return pending === undefined ? next() : pending.then(() => next());
  };

const serve =
  (pipeline: RequestPipeline, { declaration }: ServedRoute): RequestHandler =>
  async (request, response) => {
    const admission = admissionOf(response);
    const { call, exchange } = admission;
    const answer = await pipeline.serve(admission);
    if (answer.webSocket !== undefined) return acceptWebSocket(request, response, answer.webSocket);
    if (call.stream !== undefined && answer.blocks !== undefined) {
      await sendStream(response, answer.blocks, exchange.requestId, call.stream.signal);
      return;
    }
    if (answer.ranged !== undefined) {
      // Reading may take minutes, so the key is checked again and again: a revoked key ends the response.
      const admit = async () => requireScope(declaration, await pipeline.identifyCaller(request, exchange));
      await sendRanged(request, response, { content: answer.ranged, requestId: exchange.requestId, admit });
      return;
    }
    const { 'if-none-match': ifNoneMatch, accept } = request.headers;
    sendAnswer(response, declaration, answer, { requestId: exchange.requestId, ifNoneMatch, accept });
  };

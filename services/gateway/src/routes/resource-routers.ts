import type { Method, RawQuery } from '@parley/contract';
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
  receiveBody,
  RequestBody,
  sendAnswer,
  sendRanged,
  sendStream,
} from '../http';
import { requireScope } from '../auth';
import type { RequestPipeline } from './request-pipeline';
import type { Admission, CallerRequest } from './caller-request';
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
        admit(pipeline, served),
        identityEncoding,
        receive(pipeline, served),
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

/** Runs everything that is checked without the body. */
const admit =
  (pipeline: RequestPipeline, route: ServedRoute): RequestHandler =>
  async (request, response, next) => {
    const { declaration } = route;
    const exchange = requestContextOf(response);
    exchange.route = declaration.id;
    const caller = await pipeline.identifyCaller(request, exchange);
    let query: RawQuery | undefined;
    const call: CallerRequest = {
      caller,
      // Each parameter matches only one segment, so its value is a string.
      params: request.params as Record<string, string>,
      body: RequestBody.absent(declaration),
      // Parsed when it is checked: a malformed query is reported after a missing scope.
      get query() {
        return (query ??= parseQuery(request));
      },
      idempotencyKey: request.headers['idempotency-key'],
      ifMatch: request.headers['if-match'] ?? '',
      stream: streamRequest(pipeline, declaration, request, response),
      setHeader: (name: string, value: string | number) => void response.setHeader(name, value),
    };
    const admission: Admission = { route, call, exchange, organizationId: '' };
    response.locals.admission = admission;
    await pipeline.passBeforeBody(admission);
    next();
  };

/** Reads the body, and runs the checks that need it in one middleware, because calling a further middleware costs more than most checks. */
const receive =
  (pipeline: RequestPipeline, { declaration }: ServedRoute): RequestHandler =>
  (request, response, next) => {
    const admission = admissionOf(response);
    const proceed = (body: RequestBody): Promise<void> | void => {
      admission.call.body = body;
      const pending = pipeline.passAfterBody(admission);
      return pending === undefined ? next() : pending.then(() => next());
    };
    const body = receiveBody(declaration, request, response, pipeline.bodyAccount(admission.exchange));
    return body instanceof Promise ? body.then(proceed) : proceed(body);
  };

const admissionOf = (response: Response): Admission => response.locals.admission as Admission;

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

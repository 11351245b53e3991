import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@parley/errors';
import type { HttpEdge } from '@parley/runtime';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { Documents } from '../documents/documents';
import { fail, type Edge } from '../edge';
import { attachExchange, Exchange, exchangeOf, pathOf } from '../middleware/exchange';
import type { PathEntry } from '../route-table';
import { recordRequest, type RequestRecorder } from '../telemetry/request-log';
import { answerFaults, hostFault } from './faults';
import type { Probes } from './probes';

export interface AppParts {
  readonly edge: Edge;
  readonly table: readonly PathEntry[];
  readonly probes: Probes;
  readonly recorder: RequestRecorder;
}

/** The HTTP side of the gateway: an express application that finds the path; everything after is the edge's. */
export function httpEdge(parts: AppParts): HttpEdge {
  const app = application(parts);
  const documents = new Documents();
  const begin = (request: IncomingMessage, response: ServerResponse): Exchange => {
    const { clock } = parts.recorder;
    const exchange = new Exchange(
      request.method ?? '',
      pathOf(request),
      clock.monotonicMs(),
      String(request.headers.traceparent),
    );
    attachExchange(response, exchange);
    return exchange;
  };
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = begin(request, response);
    if (parts.probes.answer(exchange, response)) return;
    response.once('close', () => recordRequest(parts.recorder, exchange, response));
    const fault = hostFault(request);
    if (fault !== undefined) fail(request, response, exchange, fault, true);
    else if (!documents.answer(request, response, exchange)) app(request, response);
  };
  return {
    handler,
    onServer: (server) => answerFaults(server, (request) => routeNotFound(pathOf(request))),
  };
}

function application({ edge, table }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  for (const entry of table) {
    app.all<Record<string, string>>(entry.path.replace(/\{(\w+)\}/g, ':$1'), (request, response) =>
      edge.serve(entry, request, response, request.params, begunExchange(response)),
    );
  }
  app.use((request, response) => {
    const exchange = begunExchange(response);
    fail(request, response, exchange, routeNotFound(exchange.path));
  });
  app.use(brokenPath);
  return app;
}

/** Express refuses a path whose escapes cannot be decoded: it is no path of ours. */
const brokenPath: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const exchange = begunExchange(response);
  const undecodable = error instanceof Error && 'status' in error && error.status === 400;
  fail(request, response, exchange, undecodable ? routeNotFound(exchange.path) : error);
};

const routeNotFound = (path: string): AppError => new AppError('not_found', 'no such route', { fields: { path } });

function begunExchange(response: ServerResponse): Exchange {
  const exchange = exchangeOf(response);
  if (exchange === undefined) throw new Error('the request was not begun');
  return exchange;
}

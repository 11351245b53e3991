import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@parley/errors';
import type { HttpEdge } from '@parley/runtime';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { Documents } from '../documents/documents';
import { fail, type Edge } from '../edge';
import { attachExchange, Exchange, exchangeOf, pathOf } from '../middleware/exchange';
import { Mcp } from '../mcp/mcp';
import { PathIndex } from '../path-index';
import type { CarrierWebhooks } from '../carriers/carrier-webhooks';
import type { PathEntry } from '../route-table';
import { recordRequest, type RequestRecorder } from '../telemetry/request-log';
import { answerFaults, hostFault } from './faults';
import type { Probes } from './probes';

export interface AppParts {
  readonly edge: Edge;
  readonly mcp: Mcp;
  readonly carriers: CarrierWebhooks;
  readonly table: readonly PathEntry[];
  readonly probes: Probes;
  readonly recorder: RequestRecorder;
  /** How long a request may take to arrive whole. */
  readonly requestTimeoutSeconds: number;
}

/**
 * The HTTP side of the gateway. The declared routes know all their paths, so these go to the edge at once; express takes the
 * rest, whose layers cost as much as all the edge's own checks.
 */
export function httpEdge(parts: AppParts): HttpEdge {
  const app = application();
  const { edge } = parts;
  const paths = new PathIndex(parts.table);
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
    response.on('close', () => recordRequest(parts.recorder, exchange, response));
    const fault = hostFault(request);
    if (fault !== undefined) {
      fail(request, response, exchange, fault, true);
      return;
    }
    const found = paths.find(exchange.path);
    if (found !== undefined) {
      edge
        .serve(found.entry, request, response, found.params, exchange)
        .catch((error: unknown) => fail(request, response, exchange, error));
      return;
    }
    const carrier = parts.carriers.find(exchange.path);
    if (carrier !== undefined) {
      parts.carriers
        .serve(carrier, request, response, exchange)
        .catch((error: unknown) => fail(request, response, exchange, error));
    } else if (exchange.path === Mcp.path) {
      parts.mcp.serve(request, response, exchange).catch((error: unknown) => fail(request, response, exchange, error));
    } else if (!documents.answer(request, response, exchange)) {
      app(request, response);
    }
  };
  return {
    handler,
    onServer: (server) => {
      server.requestTimeout = parts.requestTimeoutSeconds * 1_000;
      answerFaults(server, (request) => routeNotFound(pathOf(request)));
    },
  };
}

function application(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.use((request, response) => {
    const exchange = begunExchange(response);
    fail(request, response, exchange, routeNotFound(exchange.path));
  });
  app.use(unexpected);
  return app;
}

const unexpected: ErrorRequestHandler = (error: unknown, request, response, _next) =>
  fail(request, response, begunExchange(response), error);

const routeNotFound = (path: string): AppError => new AppError('not_found', 'no such route', { fields: { path } });

function begunExchange(response: ServerResponse): Exchange {
  const exchange = exchangeOf(response);
  if (exchange === undefined) throw new Error('the request was not begun');
  return exchange;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { requestContextOf, type RequestContext } from './request-context';
import { appErrorOf, sendError } from './render-error';

/** Sends the error; what the client must not see goes to the log line. */
export function fail(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: RequestContext,
  thrown: unknown,
): void {
  const error = appErrorOf(thrown);
  if (error.code === 'internal_error') exchange.error = error.cause ?? error;
  // A body that was announced but not invited would be taken for the next request.
  const uninvited = request.headers.expect !== undefined && !request.complete;
  sendError(response, error, exchange.requestId, exchange.closeOnError || uninvited);
}

/** The error handler of the application: all that a middleware or a route throws ends here. */
export const sendErrors: ErrorRequestHandler = (error: unknown, request, response, _next) =>
  fail(request, response, requestContextOf(response), error);

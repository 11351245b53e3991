import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { requestContextOf, type RequestContext } from './request-context';
import { appErrorOf, sendError } from './render-error';

/** Sends the error; details that the client must not see are only logged. */
export function fail(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: RequestContext,
  thrown: unknown,
): void {
  const error = appErrorOf(thrown);
  if (error.code === 'internal_error') exchange.error = error.cause ?? error;
  // Otherwise a body that was announced with Expect but not requested would be parsed as the next request.
  const uninvited = request.headers.expect !== undefined && !request.complete;
  sendError(response, error, exchange.requestId, exchange.closeOnError || uninvited);
}

/** The application's error handler, for everything that a middleware or a route throws. */
export const sendErrors: ErrorRequestHandler = (error: unknown, request, response, _next) =>
  fail(request, response, requestContextOf(response), error);

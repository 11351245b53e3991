import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { requestContextOf, type RequestContext } from './request-context';
import { appErrorOf, sendError } from './render-error';

/** Sends an error, late if the body has not arrived and many are refused. Details that the client must not see are only logged. */
export function fail(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: RequestContext,
  thrown: unknown,
): void {
  const error = appErrorOf(thrown);
  if (error.code === 'internal_error') exchange.error = error.cause ?? error;
  // The client announced a body with Expect but was not invited to send it. Closing the connection prevents a body sent anyway from being parsed as the next
  // request.
  const uninvited = request.headers.expect !== undefined && !request.complete;
  exchange.refusals.send(request, () => {
    // The rest of a body that is refused late is not read.
    const close = exchange.closeOnError || uninvited || request.isPaused();
    sendError(response, error, exchange.requestId, close);
  });
}

/** The application's error handler, for everything that middlewares and routes throw. */
export const sendErrors: ErrorRequestHandler = (error: unknown, request, response, _next) =>
  fail(request, response, requestContextOf(response), error);

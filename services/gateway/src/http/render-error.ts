import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, internal } from '@parley/errors';

/** An error as sent to clients (docs/reference/errors.md). */
export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

const internalMessage = 'the request could not be completed; report the request_id if this persists';

/** Converts anything thrown to an AppError: a value that is none becomes the cause of an internal_error. */
export function appErrorOf(error: unknown): AppError {
  return error instanceof AppError ? error : internal(error);
}

/**
 * Renders `{ error, message, ...fields }` (docs/reference/errors.md). An internal_error has a fixed message and shows only the request id; its fields and cause
 * are not sent.
 */
export function renderError(error: AppError, requestId: string): RenderedError {
  const body = JSON.stringify(
    error.code === 'internal_error'
      ? { error: error.code, message: internalMessage, request_id: requestId }
      : { error: error.code, message: error.message, ...error.fields },
  );
  return {
    status: error.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...headersOf(error),
    },
    body,
  };
}

function headersOf(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {};
  const { retry_after_seconds: retryAfter, allow } = error.fields;
  if (typeof retryAfter === 'number' && error.code !== 'internal_error') {
    headers['Retry-After'] = String(Math.max(0, Math.ceil(retryAfter)));
  } else if (error.status === 503) {
    // The document requires this header for every 503, because something is unavailable only temporarily.
    headers['Retry-After'] = '1';
  }
  if (error.code === 'method_not_allowed' && Array.isArray(allow)) headers.Allow = allow.join(', ');
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}

/** 405 with the allowed methods (docs/reference/errors.md). */
export const methodNotAllowed = (allow: readonly string[]): AppError =>
  new AppError('method_not_allowed', `use ${allow.join(' or ')}`, { fields: { allow } });

/**
 * Responds with an error. If a response has already begun, the connection is closed, so that the client does not take the partial response for a complete one.
 */
export function sendError(response: ServerResponse, error: unknown, requestId: string, close = false): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = renderError(appErrorOf(error), requestId);
  response.writeHead(status, close ? { ...headers, Connection: 'close' } : headers);
  response.end(body);
}

/** Responds on a raw connection without a parsed request, and closes it. */
export function sendRawError(socket: Duplex, error: AppError, requestId: string): void {
  const { status, headers, body } = renderError(error, requestId);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
}

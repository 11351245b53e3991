import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest, type AppError } from '@parley/errors';
import { startedRequestContext } from './request-context';
import { sendError, sendRawError } from './render-error';

/** How long the client of a refused connection may continue to send, so that it can read the response before the connection is reset. */
const lingerMs = 1_000;

/**
 * Responds to errors of the HTTP connection itself with 400 BadRequestError in the usual JSON format (docs/reference/requests.md).
 * @param refusalOf the response to CONNECT, which has no route
 */
export function answerConnectionErrors(server: Server, refusalOf: (request: IncomingMessage) => AppError): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refuse(socket, badRequest(reasonOf(error.code)));
  });
  // Handled like any other request: the code that reads the body sends 100 Continue.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    sendError(response, badRequest('the Expect header is not supported'), randomUUID(), true);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    sendRawError(socket, refusalOf(request), randomUUID());
  });
}

/** Responds to bytes that are not HTTP, and closes the connection. Earlier complete requests get their responses first. */
function refuse(socket: Duplex, error: AppError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const response = answering(socket);
  if (response?.req.complete === true) {
    response.once('close', () => refuse(socket, error));
    return;
  }
  if (response?.headersSent === false) {
    sendError(response, error, startedRequestContext(response)?.requestId ?? randomUUID(), true);
  } else if (response === undefined && !isAnswered(socket)) {
    sendRawError(socket, error, randomUUID());
  } else {
    socket.end();
  }
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** The pending response of a connection. Node's own code also reads it from this property. */
function answering(socket: Duplex): ServerResponse | undefined {
  const pending: unknown = Reflect.get(socket, '_httpMessage');
  return pending instanceof ServerResponse ? pending : undefined;
}

/** Whether the invalid bytes are the rest of a request that already got its response. */
function isAnswered(socket: Duplex): boolean {
  const parser: unknown = Reflect.get(socket, 'parser');
  const incoming: unknown = typeof parser === 'object' && parser !== null ? Reflect.get(parser, 'incoming') : undefined;
  return incoming instanceof IncomingMessage && !incoming.complete;
}

/** Validates the Host header, which HTTP/1.1 requires exactly once. */
export function hostError(request: IncomingMessage): AppError | undefined {
  const { rawHeaders } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) return undefined;
  return badRequest('the request must carry exactly one Host header');
}

function reasonOf(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'the request line and headers are too long';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'the request did not arrive in time';
    default:
      return 'the request is not valid HTTP';
  }
}

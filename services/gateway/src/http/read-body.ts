import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, badRequest } from '@parley/errors';
import type { RequestHandler } from 'express';
import { requestContextOf } from './request-context';

/** Maximum size of a request body in bytes (docs/reference/requests.md). */
export const bodyLimit = 1024 * 1024;

const empty = Buffer.alloc(0);

const tooLarge = (): AppError => new AppError('PayloadTooLargeError', `the body is larger than ${bodyLimit} bytes`);

/**
 * The bytes of the body; empty if there is none. A body over the limit is refused before it is read if Content-Length exceeds the limit, and a chunked one as
 * soon as it does. Its rest is read and discarded until the server's request timeout, so that the client can read the response. With `withinMs`, a slower body
 * is refused with 400 and the connection is closed; without it, only the server's request timeout applies.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { withinMs }: { readonly withinMs?: number } = {},
): Buffer | Promise<Buffer> {
  const { 'content-length': contentLength, 'transfer-encoding': transferEncoding } = request.headers;
  if (transferEncoding === undefined) {
    if (contentLength === undefined || contentLength === '0') return empty;
    if (Number(contentLength) > bodyLimit) throw tooLarge();
  }
  inviteBody(request, response);
  return withinMs === undefined ? collect(request) : inTime(request, response, withinMs);
}

/** Sends 100 Continue if the client expects it, which HTTP/1.0 does not support. */
export function inviteBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion === '1.1') response.writeContinue();
}

async function inTime(request: IncomingMessage, response: ServerResponse, withinMs: number): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      requestContextOf(response).closeOnError = true;
      reject(badRequest('the body was not received in time'));
    }, withinMs);
  });
  try {
    return await Promise.race([collect(request), late]);
  } finally {
    clearTimeout(timer);
  }
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= bodyLimit) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.resume();
      reject(tooLarge());
    };
    request.on('data', onData);
    let ended = false;
    // This event occurs for every request, even after a complete body. The error is created only when needed, because its stack trace is expensive.
    const brokenOff = (): void => {
      if (!ended) reject(badRequest('the body is incomplete'));
    };
    request.once('end', () => {
      ended = true;
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.once('error', brokenOff);
    request.once('close', brokenOff);
  });
}

/** Refuses a Content-Encoding other than identity with 415 (docs/reference/requests.md#encoding), for every method. */
export function refuseContentEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined) return;
  for (const coding of encoding.split(',')) {
    const name = coding.trim().toLowerCase();
    if (name !== '' && name !== 'identity') {
      throw new AppError('UnsupportedMediaTypeError', 'send the body without a Content-Encoding');
    }
  }
}

/** `refuseContentEncoding` as a middleware. */
export const identityEncoding: RequestHandler = (request, _response, next) => {
  refuseContentEncoding(request);
  next();
};

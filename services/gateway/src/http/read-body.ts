import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, badRequest } from '@parley/errors';
import type { RequestHandler } from 'express';
import { requestContextOf } from './request-context';

/** Bytes that a request body may have (docs/reference/requests.md). */
export const bodyLimit = 1024 * 1024;

const empty = Buffer.alloc(0);

const tooLarge = (): AppError => new AppError('PayloadTooLargeError', `the body is larger than ${bodyLimit} bytes`);

/**
 * The body's bytes, empty when there is none. One that says in its Content-Length that it is too large is refused before a
 * byte of it is read; a chunked one as soon as it passes the limit. What then still arrives is read and thrown away until
 * the server's request timeout, so that the client gets to see the answer. With `withinMs` a body that takes longer is 400 and the end
 * of its connection; without, the server's request timeout alone bounds it.
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

/** Asks for the body where the client waits to be asked, which HTTP/1.0 does not know. */
export function inviteBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion === '1.1') response.writeContinue();
}

async function inTime(request: IncomingMessage, response: ServerResponse, withinMs: number): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      requestContextOf(response).closeOnError = true;
      reject(badRequest('the body did not arrive in time'));
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
    // Every request closes, those whose body is here too: the error is made for the others alone, its stack costs.
    const brokenOff = (): void => {
      if (!ended) reject(badRequest('the body did not arrive whole'));
    };
    request.once('end', () => {
      ended = true;
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.once('error', brokenOff);
    request.once('close', brokenOff);
  });
}

/** 415 for a Content-Encoding other than identity (docs/reference/requests.md#encoding), on any method. */
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

/** The same as middleware. */
export const identityEncoding: RequestHandler = (request, _response, next) => {
  refuseContentEncoding(request);
  next();
};

import type { IncomingMessage } from 'node:http';
import { AppError } from '@parley/errors';
import type { RequestHandler } from 'express';

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

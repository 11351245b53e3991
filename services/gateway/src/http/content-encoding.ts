import type { IncomingMessage } from 'node:http';
import { AppError } from '@parley/errors';
import type { RequestHandler } from 'express';

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

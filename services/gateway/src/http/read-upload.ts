import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits, type AnyRoute, type Upload } from '@parley/contract';
import { AppError, badRequest } from '@parley/errors';
import { inviteBody } from './read-body';

const most: Readonly<Record<Upload, number>> = {
  'text/csv': limits.contactsCsvBytes,
  'application/octet-stream': limits.recordingPartBytes,
  'text/plain': limits.documentBytes,
  'text/markdown': limits.documentBytes,
  'text/html': limits.documentBytes,
  'application/pdf': limits.documentBytes,
};

/**
 * What a request carries in place of JSON; undefined for JSON. A route that takes bytes alone takes them under any type, one that takes several types by
 * the one that is named.
 * @throws AppError UnsupportedMediaTypeError where it is none of several
 */
export function uploadOf({ upload = [], body }: AnyRoute, { headers }: IncomingMessage): Upload | undefined {
  const named = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const known = upload.find((type) => type === named);
  if (known !== undefined || body !== undefined || upload.length <= 1)
    return known ?? (body === undefined ? upload[0] : undefined);
  throw new AppError('UnsupportedMediaTypeError', `the content type must be one of ${upload.join(', ')}`);
}

const tooLarge = (limit: number): AppError =>
  new AppError('PayloadTooLargeError', `the upload is larger than ${limit} bytes`);

/**
 * The bytes of an upload as they come; the client is held back while they are worked on. One that says in its Content-Length that
 * it is too large is refused before a byte of it is read.
 */
export function readUpload(request: IncomingMessage, response: ServerResponse, upload: Upload): AsyncIterable<Buffer> {
  const limit = most[upload];
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return readBytes(request, response, limit);
}

async function* readBytes(request: IncomingMessage, response: ServerResponse, limit: number): AsyncIterable<Buffer> {
  inviteBody(request, response);
  let size = 0;
  // What is left of a refused upload is read and thrown away, so that the client gets to see the answer.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AppError ? error : badRequest('the body did not arrive whole');
  } finally {
    request.resume();
  }
}

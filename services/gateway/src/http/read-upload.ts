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
  'image/png': limits.documentBytes,
  'image/jpeg': limits.documentBytes,
};

/**
 * The media type of a request body other than JSON; undefined for JSON. A route that accepts only one media type and no JSON takes any Content-Type as that
 * type; otherwise the Content-Type decides.
 * @throws AppError UnsupportedMediaTypeError if the Content-Type matches none
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

/** The bytes of an upload as a stream with backpressure. If Content-Length exceeds the limit, the upload is refused before anything is read. */
export function readUpload(request: IncomingMessage, response: ServerResponse, upload: Upload): AsyncIterable<Buffer> {
  const limit = most[upload];
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return readBytes(request, response, limit);
}

async function* readBytes(request: IncomingMessage, response: ServerResponse, limit: number): AsyncIterable<Buffer> {
  inviteBody(request, response);
  let size = 0;
  // The rest of a refused upload is read and discarded, so that the client can read the response.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AppError ? error : badRequest('the body is incomplete');
  } finally {
    request.resume();
  }
}

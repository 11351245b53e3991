import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits, type AnyRoute } from '@parley/contract';
import { AppError, badRequest } from '@parley/errors';
import { inviteBody } from './read-body';

/** Whether a request carries what its route takes beside JSON. */
export const isUpload = ({ upload }: AnyRoute, { headers }: IncomingMessage): boolean =>
  upload !== undefined && headers['content-type']?.split(';')[0]?.trim().toLowerCase() === upload;

const tooLarge = (): AppError =>
  new AppError('PayloadTooLargeError', `the upload is larger than ${limits.contactsCsvBytes} bytes`);

/**
 * The bytes of an upload as they come; the client is held back while they are worked on. One that says in its Content-Length that
 * it is too large is refused before a byte of it is read.
 */
export function readUpload(request: IncomingMessage, response: ServerResponse): AsyncIterable<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.contactsCsvBytes) throw tooLarge();
  return bytesOf(request, response);
}

async function* bytesOf(request: IncomingMessage, response: ServerResponse): AsyncIterable<Buffer> {
  inviteBody(request, response);
  let size = 0;
  // What is left of a refused upload is read and thrown away, so that the client gets to see the answer.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limits.contactsCsvBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AppError ? error : badRequest('the body did not arrive whole');
  } finally {
    request.resume();
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, badRequest } from '@parley/errors';
import { openBodyBytes } from './body-budget';
import { Pace } from './pace';
import { bodyTooLarge, closeAfter, inviteBody, type BodyTerms } from './read-body';

export interface UploadTerms extends Omit<BodyTerms, 'withinMs'> {
  /** How many bytes of it are held at once, for an upload whose reader passes them on piece by piece. Default: all. */
  readonly window?: number | undefined;
}

/**
 * The bytes of an upload as a stream with backpressure; its account is released when the response is closed. If Content-Length exceeds the limit, the upload is
 * refused before anything is read. Only the time in which bytes are awaited counts for its pace.
 */
export function readUpload(
  request: IncomingMessage,
  response: ServerResponse,
  terms: UploadTerms,
): AsyncIterable<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > terms.limit) throw bodyTooLarge(terms.limit);
  const atOnce = openBodyBytes + (terms.window ?? 0);
  terms.account.hold(atOnce, terms.window === undefined ? atOnce + announced : atOnce);
  response.once('close', () => terms.account.release());
  return readBytes(request, response, terms);
}

async function* readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, account, window }: UploadTerms,
): AsyncIterable<Buffer> {
  inviteBody(request, response);
  let size = 0;
  let fail: (error: Error) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => (fail = reject));
  // Refused uploads are noticed where the next bytes are awaited.
  late.catch(() => closeAfter(response));
  const pace = new Pace(fail);
  const chunks = (request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      pace.wait();
      const next = await Promise.race([chunks.next(), late]);
      pace.stop();
      if (next.done === true) return;
      pace.note(next.value.length);
      size += next.value.length;
      // The rest of a refused upload is read and discarded, so that the client can read the response.
      if (size > limit) throw bodyTooLarge(limit);
      if (window === undefined) account.hold(openBodyBytes + size);
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppError ? error : badRequest('the body is incomplete');
  } finally {
    pace.stop();
    request.resume();
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, badRequest } from '@parley/errors';
import { openBodyBytes, type BodyAccount } from './body-budget';
import { Pace } from './pace';

const empty = Buffer.alloc(0);

export interface BodyTerms {
  /** Maximum size in bytes. */
  readonly limit: number;
  readonly account: BodyAccount;
  /** The timeout for the whole body. Default: the server's. */
  readonly withinMs?: number;
}

export const bodyTooLarge = (limit: number): AppError =>
  new AppError('PayloadTooLargeError', `the body is larger than ${limit} bytes`);

/**
 * The bytes of the body, which are in the account until the response is closed; empty if there is none. A body over the limit is refused before it is read if
 * Content-Length exceeds the limit, and a chunked one as soon as it does. Its rest is read and discarded for 2 s (http-server.ts), so that the client
 * can read the response. A body that is too slow, or consists of tiny pieces, is refused with 400, and the connection is closed.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  terms: BodyTerms,
): Buffer | Promise<Buffer> {
  const { 'content-length': contentLength, 'transfer-encoding': transferEncoding } = request.headers;
  const announced = transferEncoding === undefined ? Number(contentLength ?? 0) : terms.limit;
  if (announced === 0) return empty;
  if (announced > terms.limit) throw bodyTooLarge(terms.limit);
  terms.account.hold(openBodyBytes, openBodyBytes + (transferEncoding === undefined ? announced : 0));
  response.once('close', () => terms.account.release());
  inviteBody(request, response);
  return collect(request, response, announced, terms);
}

/** Sends 100 Continue if the client expects it, which HTTP/1.0 does not support. */
export function inviteBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion === '1.1') response.writeContinue();
}

/** The response to a body that is too slow closes the connection. */
export const closeAfter = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

function collect(
  request: IncomingMessage,
  response: ServerResponse,
  announced: number,
  { limit, account, withinMs }: BodyTerms,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new GatheredBytes(announced);
    const fail = (error: Error): void => {
      stop();
      request.resume();
      reject(error);
    };
    const late = (error: Error): void => {
      closeAfter(response);
      fail(error);
    };
    const pace = new Pace(late);
    const whole =
      withinMs === undefined
        ? undefined
        : setTimeout(() => late(badRequest('the body was not received in time')), withinMs);
    const onData = (chunk: Buffer): void => {
      pace.note(chunk.length);
      try {
        if (gathered.size + chunk.length > limit) throw bodyTooLarge(limit);
        account.hold(openBodyBytes + gathered.capacityWith(chunk.length));
        gathered.add(chunk);
      } catch (error) {
        fail(error as Error);
      }
    };
    const onEnd = (): void => {
      stop();
      const bytes = gathered.bytes();
      account.hold(bytes.length);
      resolve(bytes);
    };
    // This event occurs for every request, even after a complete body. The error is created only when needed, because its stack trace is expensive.
    const brokenOff = (): void => fail(badRequest('the body is incomplete'));
    const stop = (): void => {
      pace.stop();
      clearTimeout(whole);
      request.off('data', onData).off('end', onEnd).off('close', brokenOff);
    };
    pace.wait();
    request.on('data', onData).once('end', onEnd).once('close', brokenOff);
    request.once('error', brokenOff);
  });
}

/**
 * Bytes in one growing buffer: a list of pieces would cost a hundred bytes and more for each piece of one byte. A piece that is the whole is not copied.
 */
export class GatheredBytes {
  size = 0;
  private buffer: Buffer = empty;

  /** @param most the expected size; it may be exceeded */
  constructor(private readonly most: number) {}

  /** The size of the buffer after `more` bytes are added. */
  capacityWith(more: number): number {
    const needed = this.size + more;
    if (needed <= this.buffer.length) return this.buffer.length;
    return Math.max(needed, Math.min(this.most, 2 * needed));
  }

  add(piece: Buffer): void {
    const capacity = this.capacityWith(piece.length);
    if (piece.length === this.most && this.size === 0) this.buffer = piece;
    else {
      if (capacity > this.buffer.length) {
        const larger = Buffer.allocUnsafeSlow(capacity);
        this.buffer.copy(larger, 0, 0, this.size);
        this.buffer = larger;
      }
      piece.copy(this.buffer, this.size);
    }
    this.size += piece.length;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }
}

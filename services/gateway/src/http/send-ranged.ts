import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Content that is read chunk by chunk with backpressure. */
export interface RangedContent {
  readonly mediaType: string;
  readonly size: number;
  /** Strong entity tag, including quotes. */
  readonly etag: string;
  /** The bytes of a half-open range. */
  read(from: number, to: number): AsyncIterable<Buffer>;
}

interface RangedAnswer {
  readonly content: RangedContent;
  readonly requestId: string;
  /** Called before each further chunk. @throws AppError if the client's permission to read has ended */
  admit(): Promise<void>;
}

/** The timeout of a stalled reader, which can resume with a range request. */
const stuckMs = 30_000;

/** Maximum of bytes written at once, so that only the current chunk is buffered for a slow reader. */
const writeBytes = 64 * 1024;

/**
 * Responds with the whole content, or with the requested range if it is a single satisfiable one (RFC 9110). Multiple or unsatisfiable ranges, and a range of
 * content that has changed since, get the whole content. If reading fails, the connection is closed.
 */
export async function sendRanged(
  request: IncomingMessage,
  response: ServerResponse,
  { content, requestId, admit }: RangedAnswer,
): Promise<void> {
  const { size, etag, mediaType } = content;
  const { range, 'if-range': ifRange } = request.headers;
  const wanted = ifRange === undefined || ifRange === etag ? rangeOf(range, size) : undefined;
  const { from, to } = wanted ?? { from: 0, to: size };
  response.writeHead(wanted === undefined ? 200 : 206, {
    'Content-Type': mediaType,
    'Content-Length': to - from,
    'Accept-Ranges': 'bytes',
    ...(wanted === undefined ? {} : { 'Content-Range': `bytes ${from}-${to - 1}/${size}` }),
    ETag: etag,
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  if (request.method === 'HEAD' || from === to) {
    response.end();
    return;
  }
  try {
    await writePieces(response, content.read(from, to), admit);
    response.end();
  } catch {
    // The length was already sent, so the failure can only be signaled by closing the connection.
    response.destroy();
  }
}

async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterable<Buffer>,
  admit: RangedAnswer['admit'],
): Promise<void> {
  for await (const piece of pieces) {
    await admit();
    for (let at = 0; at < piece.length; at += writeBytes) {
      if (response.destroyed) throw new Error('the client left');
      if (!response.write(piece.subarray(at, at + writeBytes)))
        await once(response, 'drain', { signal: AbortSignal.timeout(stuckMs) });
    }
  }
}

/** A non-empty byte range; `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const oneRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** The range of a Range header. Undefined if the whole content must be sent, because the header is absent, malformed, unsatisfiable, or has several ranges. */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = oneRange.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const range =
    first === ''
      ? { from: Math.max(0, size - Number(last)), to: size }
      : { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
  return range.from < range.to ? range : undefined;
}

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes that are read piece by piece, as the client takes them. */
export interface RangedContent {
  readonly mediaType: string;
  readonly size: number;
  /** Strong, quotes included. */
  readonly etag: string;
  /** The bytes from one place up to and without another. */
  read(from: number, to: number): AsyncIterable<Buffer>;
}

interface RangedAnswer {
  readonly content: RangedContent;
  readonly requestId: string;
  /** Before every further piece. @throws AppError when the client may read no more */
  admit(): Promise<void>;
}

/** A reader that takes nothing for so long is let go; it comes back with a range. */
const stuckMs = 30_000;

/** Handed to the connection at once: what a slow reader has not taken of a piece is all that is held for it. */
const writeBytes = 64 * 1024;

/**
 * Responds with all of it, or with the one range that is asked for and can be had (RFC 9110). What cannot be had, several ranges at once and
 * a range of what has changed since are answered with all of it. Bytes that cannot be read to their end break the connection off.
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
    // The length is promised: only a broken connection says that it was not kept.
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

/** A part of some bytes, `to` not included; never empty. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const oneRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** The range that a Range header asks for; undefined where all bytes are the answer: no range, several, one that is malformed or outside. */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = oneRange.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const range =
    first === ''
      ? { from: Math.max(0, size - Number(last)), to: size }
      : { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
  return range.from < range.to ? range : undefined;
}

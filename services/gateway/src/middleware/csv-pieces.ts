import { createHash } from 'node:crypto';

/** Some whole records of an upload as CSV. */
export interface CsvPiece {
  readonly rows: Buffer;
  /** Of the piece in the upload, from 1. */
  readonly firstLine: number;
  /** Counts from 1. */
  readonly piece: number;
  readonly last: boolean;
  /** SHA-256 of the rows. */
  readonly digest: Buffer;
}

const pieceBytes = 128 * 1024;
/** A record of this length is none: a quote was left open. */
const longestRecord = 256 * 1024;

const quote = 0x22;
const newline = 0x0a;
const comma = 0x2c;

/**
 * Cuts an upload into pieces of whole records, about 128 KiB each, without holding more of it. Line ends inside of quotes do not end a
 * record; where a quote is never closed the piece is cut at a line end all the same, for the reader to report what it finds.
 */
export async function* csvPieces(chunks: AsyncIterable<Buffer>): AsyncIterable<CsvPiece> {
  let held: Buffer = Buffer.alloc(0);
  let scanned = 0;
  let quoted = false;
  let before: number | undefined;
  let recordsEnd = 0;
  let lineEnd = 0;
  let firstLine = 1;
  let piece = 0;
  const pieceOf = (rows: Buffer, last: boolean): CsvPiece => {
    const made = { rows, firstLine, piece: (piece += 1), last, digest: createHash('sha256').update(rows).digest() };
    firstLine += linesOf(rows);
    return made;
  };
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (; scanned < held.length; scanned += 1) {
      const byte = held[scanned];
      if (byte === quote) {
        // A doubled quote closes and opens again; one inside of a plain cell is the reader's to report.
        if (quoted) quoted = false;
        else quoted = before === undefined || before === comma || before === newline || before === quote;
      } else if (byte === newline) {
        lineEnd = scanned + 1;
        if (!quoted) recordsEnd = lineEnd;
      }
      before = byte;
    }
    const cut =
      recordsEnd >= pieceBytes ? recordsEnd : held.length > longestRecord ? recordsEnd || lineEnd || held.length : 0;
    if (cut === 0) continue;
    yield pieceOf(held.subarray(0, cut), false);
    held = held.subarray(cut);
    if (cut !== recordsEnd) {
      quoted = false;
      before = undefined;
    }
    scanned = cut === recordsEnd ? scanned - cut : 0;
    recordsEnd = 0;
    lineEnd = 0;
  }
  yield pieceOf(held, true);
}

function linesOf(rows: Buffer): number {
  let lines = 0;
  for (const byte of rows) if (byte === newline) lines += 1;
  return lines;
}

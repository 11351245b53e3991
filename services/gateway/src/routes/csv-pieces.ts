import { createHash } from 'node:crypto';

/** A chunk of complete records of an uploaded CSV file, in UTF-8. */
export interface CsvPiece {
  readonly rows: Buffer;
  /** What separates cells: that of the header line. */
  readonly delimiter: string;
  /** The number of the chunk's first line in the file, from 1. */
  readonly firstLine: number;
  /** The chunk's number in the upload, from 1. */
  readonly piece: number;
  readonly last: boolean;
  /** SHA-256 of the rows. */
  readonly digest: Buffer;
  /** SHA-256 of the whole upload; empty before the last chunk. */
  readonly whole: Buffer;
}

const pieceBytes = 128 * 1024;
/** A longer record is considered invalid, because a quote was not closed. */
const longestRecord = 256 * 1024;

const quote = 0x22;
const newline = 0x0a;
const carriageReturn = 0x0d;
const delimiters = [',', ';', '\t', '|'];

/**
 * Splits an upload into chunks of complete records, about 128 KiB each, without buffering more. Line ends (LF, CRLF, CR) inside quotes do not end a record. If a
 * quote is never closed, the chunk ends at a line end anyway, and the service that parses it reports the error. Chunk boundaries depend only on the content, so
 * that an upload can be recognized by its first chunk.
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
  let delimiter: string | undefined;
  const all = createHash('sha256');
  const pieceOf = (rows: Buffer, last: boolean): CsvPiece => {
    all.update(rows);
    const digest = createHash('sha256').update(rows).digest();
    const whole = last ? all.digest() : Buffer.alloc(0);
    delimiter ??= delimiterOf(rows);
    const made = { rows, delimiter, firstLine, piece: (piece += 1), last, digest, whole };
    firstLine += linesOf(rows);
    return made;
  };
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    // The delimiter is known once the first line with text is complete.
    if (delimiter === undefined && held.length < longestRecord && !/[^\r\n][\r\n]/.test(held.toString('latin1')))
      continue;
    delimiter ??= delimiterOf(held);
    const between = delimiter.charCodeAt(0);
    while (scanned < held.length) {
      const byte = held[scanned];
      // A CR is the end of a line unless an LF follows it.
      if (before === carriageReturn && byte !== newline) {
        lineEnd = scanned;
        if (!quoted) recordsEnd = scanned;
      }
      scanned += 1;
      if (byte === quote) {
        // A doubled quote ends and restarts the quoted part. A quote inside an unquoted cell is reported by the service that parses the chunk.
        if (quoted) quoted = false;
        else quoted = before === undefined || [between, newline, carriageReturn, quote].includes(before);
      } else if (byte === newline) {
        lineEnd = scanned;
        if (!quoted) recordsEnd = scanned;
      }
      before = byte;
      let cut = 0;
      if (recordsEnd >= pieceBytes) cut = recordsEnd;
      else if (scanned === longestRecord) cut = recordsEnd || lineEnd || scanned;
      if (cut === 0) continue;
      yield pieceOf(held.subarray(0, cut), false);
      held = held.subarray(cut);
      if (cut === recordsEnd) scanned -= cut;
      else {
        scanned = 0;
        quoted = false;
        before = undefined;
      }
      recordsEnd = 0;
      lineEnd = Math.max(0, lineEnd - cut);
    }
  }
  yield pieceOf(held, true);
}

function linesOf(rows: Buffer): number {
  let lines = 0;
  rows.forEach((byte, at) => {
    if (byte === newline || (byte === carriageReturn && rows[at + 1] !== newline)) lines += 1;
  });
  return lines;
}

/** The delimiter that the first line with text has most of, outside quotes; a comma if it has none. */
function delimiterOf(rows: Buffer): string {
  const start = rows.subarray(0, longestRecord).toString();
  const line = (/[^\r\n]+/.exec(start)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = delimiters.map((each) => line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

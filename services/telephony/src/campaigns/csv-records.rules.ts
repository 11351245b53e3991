/** A record of a CSV text, or why the line is invalid. */
export type CsvRecord =
  { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly fault: string };

/**
 * Reads CSV (RFC 4180; lines end with LF, CRLF or CR; blank lines are skipped). A malformed record invalidates only itself: reading continues on the next line,
 * so an unclosed quote costs one line instead of the rest of the file. Pure.
 * @param firstLine the line of the text in its file, from 1
 * @param delimiter one character
 */
export function csvRecords(text: string, firstLine: number, delimiter = ','): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = firstLine;
  for (let at = 0; at < text.length;) {
    const read = recordAt(text, at, delimiter);
    if ('fault' in read) records.push({ line, fault: read.fault });
    else if (read.cells.length > 1 || read.cells[0] !== '') records.push({ line, cells: read.cells });
    line += text.slice(at, read.end).match(lineEnds)?.length ?? 0;
    at = read.end;
  }
  return records;
}

type ReadRecord =
  { readonly end: number; readonly cells: readonly string[] } | { readonly end: number; readonly fault: string };

const lineEnds = /\r\n|\n|\r/g;
const isLineEnd = (character: string | undefined): boolean => character === '\n' || character === '\r';

/** The start of the line after an offset. */
function nextLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineEnd(text[at])) at += 1;
  return Math.min(text.length, text.startsWith('\r\n', at) ? at + 2 : at + 1);
}

/** The record that starts at an offset; `end` is the start of the next one. */
function recordAt(text: string, start: number, delimiter: string): ReadRecord {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at, delimiter) : plainCell(text, at, delimiter);
    if (cell === undefined) return { end: nextLine(text, start), fault: 'has a quote that is not closed' };
    if (typeof cell === 'string') return { end: nextLine(text, at), fault: cell };
    cells.push(cell.value);
    at = cell.end;
    if (text[at] !== delimiter) return { end: nextLine(text, at), cells };
    at += 1;
  }
}

interface ReadCell {
  readonly value: string;
  /** The offset of what ends the cell: a delimiter, a line end, or the end of the text. */
  readonly end: number;
}

function plainCell(text: string, start: number, delimiter: string): ReadCell | string {
  let at = start;
  while (at < text.length && text[at] !== delimiter && !isLineEnd(text[at])) {
    if (text[at] === '"') return 'has a quote inside a cell that is not quoted';
    at += 1;
  }
  return { value: text.slice(start, at), end: at };
}

/** Undefined: the closing quote is missing. */
function quotedCell(text: string, start: number, delimiter: string): ReadCell | string | undefined {
  let value = '';
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return undefined;
    value += text.slice(at, quote);
    at = quote + 1;
    if (text[at] === '"') {
      value += '"';
      at += 1;
      continue;
    }
    if (at === text.length || text[at] === delimiter || isLineEnd(text[at])) return { value, end: at };
    return 'has characters after a closing quote';
  }
}

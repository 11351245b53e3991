/** A record of a CSV text, or why the line is invalid. */
export type CsvRecord =
  { readonly line: number; readonly cells: readonly string[] } | { readonly line: number; readonly fault: string };

/**
 * Reads CSV (RFC 4180; LF or CRLF; blank lines are skipped). A malformed record invalidates only itself: reading continues on the next line, so an unclosed
 * quote costs one line instead of the rest of the file. Pure.
 * @param firstLine the line of the text in its file, from 1
 */
export function csvRecords(text: string, firstLine: number): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = firstLine;
  for (let at = 0; at < text.length;) {
    const read = recordAt(text, at);
    if ('fault' in read) records.push({ line, fault: read.fault });
    else if (read.cells.length > 1 || read.cells[0] !== '') records.push({ line, cells: read.cells });
    for (let passed = at; passed < read.end; passed += 1) if (text[passed] === '\n') line += 1;
    at = read.end;
  }
  return records;
}

type ReadRecord =
  { readonly end: number; readonly cells: readonly string[] } | { readonly end: number; readonly fault: string };

/** The start of the line after an offset. */
function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** The record that starts at an offset; `end` is the start of the next one. */
function recordAt(text: string, start: number): ReadRecord {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    if (cell === undefined) return { end: nextLine(text, start), fault: 'has a quote that is not closed' };
    if (typeof cell === 'string') return { end: nextLine(text, at), fault: cell };
    cells.push(cell.value);
    at = cell.end;
    if (text[at] !== ',') return { end: nextLine(text, at), cells };
    at += 1;
  }
}

interface ReadCell {
  readonly value: string;
  /** The offset of the delimiter after the cell: a comma, a line end, or the end of the text. */
  readonly end: number;
}

function plainCell(text: string, start: number): ReadCell | string {
  let at = start;
  while (at < text.length && text[at] !== ',' && text[at] !== '\n') {
    if (text[at] === '"') return 'has a quote inside a cell that is not quoted';
    at += 1;
  }
  const value = text.slice(start, at);
  return { value: text[at] === ',' ? value : value.replace(/\r$/, ''), end: at };
}

/** Undefined: the closing quote is missing. */
function quotedCell(text: string, start: number): ReadCell | string | undefined {
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
    if (text[at] === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) at += 1;
    if (at === text.length || text[at] === ',' || text[at] === '\n') return { value, end: at };
    return 'has characters after a closing quote';
  }
}

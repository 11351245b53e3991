import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Longest sequence of UTF-8, and enough to see a byte order mark. */
const enough = 4;

/**
 * An upload of text as UTF-8 without a byte order mark, as it arrives. Spreadsheets write UTF-8, UTF-16 and Windows-1252. UTF-16 is known by its byte order
 * mark, or by the zero that half of each Latin letter is; otherwise the first character that is not ASCII decides. Bytes that are not of the encoding become
 * U+FFFD, so that the rows that contain them can be named.
 */
export async function* utf8Of(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  let begun = false;
  const take = (ended: boolean): Buffer => {
    if (!begun && !ended && held.length < enough) return Buffer.alloc(0);
    if (!begun) decoder = markedDecoder(held);
    begun = true;
    const plain = decoder === undefined ? asciiBytes(held) : 0;
    const rest = held.subarray(plain);
    if (decoder === undefined && rest.length > 0 && (ended || rest.length >= enough))
      decoder = new TextDecoder(nameOf(rest));
    const text = decoder?.decode(rest, { stream: !ended }) ?? '';
    const ready = plain === 0 ? Buffer.from(text) : Buffer.concat([held.subarray(0, plain), Buffer.from(text)]);
    held = decoder === undefined ? rest : Buffer.alloc(0);
    return ready;
  };
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    yield take(false);
  }
  yield take(true);
}

function markedDecoder(start: Buffer): TextDecoder | undefined {
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0))
    return new TextDecoder('utf-16be');
  return start.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? new TextDecoder('utf-8') : undefined;
}

function asciiBytes(bytes: Buffer): number {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  return at < 0 ? bytes.length : at;
}

/** The encoding of a text by its first character that is not ASCII. */
function nameOf(start: Buffer): 'utf-8' | 'windows-1252' {
  const lead = start[0] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return isUtf8(start.subarray(0, length)) ? 'utf-8' : 'windows-1252';
}

import { type DocumentMediaType, limits } from '@parley/contract';
import { blocksOfMarkdown, blocksOfPlainText } from './blocks.rules';
import { type Block, chunksOf } from './chunks.rules';
import { ContentFailure } from './content-failure';
import { blocksOfHtml } from './html-blocks';

export interface ContentRead {
  readonly characters: number;
  readonly chunks: readonly string[];
}

/** Returns the headings and paragraphs of a content. @throws ContentFailure */
export async function readContent(mediaType: DocumentMediaType, content: Uint8Array): Promise<ContentRead> {
  const blocks = (await parseBlocks(mediaType, content)).map(({ level, text }) => ({
    level,
    text: joined(cleaned(text)),
  }));
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > limits.documentCharacters)
    throw new ContentFailure('too_large', `its text is longer than ${limits.documentCharacters} characters`);
  const chunks = chunksOf(blocks);
  if (chunks.length === 0) throw new ContentFailure('no_text', 'it contains no text');
  return { characters, chunks };
}

async function parseBlocks(mediaType: DocumentMediaType, content: Uint8Array): Promise<Block[]> {
  if (mediaType === 'application/pdf') return blocksOfPdf(content);
  if (mediaType === 'text/html') return blocksOfHtml(textOf(content, metaCharset(content)));
  const text = textOf(content);
  return mediaType === 'text/markdown' ? blocksOfMarkdown(text) : blocksOfPlainText(text);
}

const byteOrderMarks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The text of a content in the encoding that its byte order mark names, otherwise in the declared one, otherwise in UTF-8, which also applies if the declaration
 * is unknown or wrong, otherwise in Windows-1252, if nothing is declared and it looks like it. @throws ContentFailure
 */
export function textOf(content: Uint8Array, declared?: string): string {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => content[at] === byte))?.[0];
  const others = declared === undefined && isWestern(content) ? ['windows-1252'] : [];
  const names = marked === undefined ? [declared ?? 'utf-8', 'utf-8', ...others] : [marked];
  for (const name of names) {
    try {
      return new TextDecoder(name, { fatal: true }).decode(content);
    } catch {
      // Unknown, or not this encoding.
    }
  }
  throw new ContentFailure('not_readable', `it is not ${[...new Set(names)].join(' or ').toUpperCase()}`.slice(0, 200));
}

/**
 * Whether bytes can be text of a western language in single bytes: no control characters, no bytes that Windows-1252 does not define, and mostly ASCII. Text in
 * other scripts or in several bytes a character is not, and is refused instead of being read as signs.
 */
function isWestern(content: Uint8Array): boolean {
  let high = 0;
  for (const byte of content) {
    if (byte > 0x7f) high += 1;
    const isUndefined = byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d;
    const isControl = byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d;
    if (isUndefined || isControl) return false;
  }
  return high * 4 < content.length;
}

/** The encoding that the beginning of a page declares, as browsers look for it: UTF-16 in a text of single bytes is UTF-8. */
function metaCharset(content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, 1024)).toString('latin1');
  const name = /<(?:meta\s[^>]*?charset|\?xml\s[^>]*?encoding)\s*=\s*["']?\s*([\w:.-]+)/i
    .exec(start)?.[1]
    ?.toLowerCase();
  return name?.startsWith('utf-16') === true ? 'utf-8' : name;
}

/** Removes characters that PostgreSQL and JSON cannot store, and control characters. */
const cleaned = (text: string): string =>
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');

/** Joins words that a hyphen and a line end divide. Between capitals or digits the hyphen is part of the word. */
const joined = (text: string): string =>
  text.replaceAll(/(?<=\p{L})[-\u00ad\u2010][ \t]*\r?\n[ \t]*(?=\p{Ll})/gu, '').replaceAll('\u00ad', '');

/** Returns the text of a PDF, page by page. A scanned document has none. @throws ContentFailure */
export async function blocksOfPdf(content: Uint8Array): Promise<Block[]> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(content)).catch(() => {
    throw new ContentFailure('not_readable', 'it is not a PDF that can be read without a password');
  });
  if (document.numPages > limits.documentPages)
    throw new ContentFailure('too_many_pages', `it has more than ${limits.documentPages} pages`);
  const { text } = await extractText(document, { mergePages: false });
  return text.flatMap((page) => blocksOfPlainText(page));
}

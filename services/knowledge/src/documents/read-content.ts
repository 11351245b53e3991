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
  const blocks = (await parseBlocks(mediaType, content)).map(({ level, text }) => ({ level, text: cleaned(text) }));
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > limits.documentCharacters)
    throw new ContentFailure('too_large', `its text is longer than ${limits.documentCharacters} characters`);
  const chunks = chunksOf(blocks);
  if (chunks.length === 0) throw new ContentFailure('no_text', 'it contains no text');
  return { characters, chunks };
}

async function parseBlocks(mediaType: DocumentMediaType, content: Uint8Array): Promise<Block[]> {
  if (mediaType === 'application/pdf') return blocksOfPdf(content);
  const text = decoded(content);
  if (mediaType === 'text/html') return blocksOfHtml(text);
  return mediaType === 'text/markdown' ? blocksOfMarkdown(text) : blocksOfPlainText(text);
}

function decoded(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new ContentFailure('not_readable', 'it is not UTF-8');
  }
}

/** Removes characters that PostgreSQL and JSON cannot store, and control characters. */
const cleaned = (text: string): string =>
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');

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

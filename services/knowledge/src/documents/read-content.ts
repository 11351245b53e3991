import { limits, type DocumentMediaType } from '@parley/contract';
import { blocksOfMarkdown, blocksOfPlainText } from './blocks.rules';
import { chunksOf, type Block } from './chunks.rules';
import { ContentFailure } from './content-failure';
import { blocksOfHtml } from './html-blocks';
import { blocksOfPdf } from './pdf-blocks';

export interface ContentRead {
  readonly characters: number;
  readonly chunks: readonly string[];
}

/** The pieces of a content. @throws ContentFailure */
export async function readContent(mediaType: DocumentMediaType, content: Uint8Array): Promise<ContentRead> {
  const blocks = (await blocksOf(mediaType, content)).map(({ level, text }) => ({ level, text: cleaned(text) }));
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > limits.documentCharacters)
    throw new ContentFailure('too_large', `its text is longer than ${limits.documentCharacters} characters`);
  const chunks = chunksOf(blocks);
  if (chunks.length === 0) throw new ContentFailure('no_text', 'it holds no text');
  return { characters, chunks };
}

async function blocksOf(mediaType: DocumentMediaType, content: Uint8Array): Promise<Block[]> {
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

/** What PostgreSQL and JSON cannot hold, and what no reader sees. */
const cleaned = (text: string): string =>
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');

import { limits } from '@parley/contract';
import { blocksOfPlainText } from './blocks.rules';
import type { Block } from './chunks.rules';
import { ContentFailure } from './content-failure';

/** The text of a PDF, page by page; one of scanned pages has none. @throws ContentFailure */
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

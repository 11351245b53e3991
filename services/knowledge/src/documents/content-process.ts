import type { DocumentFailureCode, DocumentMediaType } from '@parley/contract';
import { ContentFailure } from './content-failure';
import { readContent, type ContentRead } from './read-content';

export interface ContentQuestion {
  readonly mediaType: DocumentMediaType;
  readonly content: Uint8Array;
}

export type ContentAnswer =
  ContentRead | { readonly failure: { readonly code: DocumentFailureCode; readonly detail: string } };

// Each content is read in a separate process, so that a customer's content cannot crash anything else (content-reader.ts).
process.once('message', ({ mediaType, content }: ContentQuestion) => {
  readContent(mediaType, content)
    .catch((error: unknown): ContentAnswer => {
      const { code, detail } =
        error instanceof ContentFailure ? error : new ContentFailure('not_readable', 'it could not be read');
      return { failure: { code, detail } };
    })
    .then((answer: ContentAnswer) => process.send?.(answer, () => process.disconnect()))
    .catch(() => process.exit(1));
});

import type { DocumentFailureCode, DocumentMediaType } from '@parley/contract';
import { ContentFailure } from './content-failure';
import { readContent, type ContentRead } from './read-content';

/** What the process is sent: the parts of the content, and then its media type. */
export type ContentMessage = { readonly part: Uint8Array } | { readonly mediaType: DocumentMediaType };

export type ContentAnswer =
  ContentRead | { readonly failure: { readonly code: DocumentFailureCode; readonly detail: string } };

// Each content is read in a separate process, so that a customer's content cannot crash anything else (content-reader.ts).
const parts: Uint8Array[] = [];
process.on('message', (message: ContentMessage) => {
  if ('part' in message) return void parts.push(message.part);
  readContent(message.mediaType, Buffer.concat(parts.splice(0)))
    .catch((error: unknown): ContentAnswer => {
      const { code, detail } =
        error instanceof ContentFailure ? error : new ContentFailure('not_readable', 'it could not be read');
      return { failure: { code, detail } };
    })
    .then((answer: ContentAnswer) => process.send?.(answer, () => process.disconnect()))
    .catch(() => process.exit(1));
});

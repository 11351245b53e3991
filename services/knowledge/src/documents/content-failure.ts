import type { DocumentFailureCode } from '@parley/contract';

/** The reason why no searchable text could be read from a document's content. */
export class ContentFailure extends Error {
  constructor(
    readonly code: DocumentFailureCode,
    readonly detail: string,
  ) {
    super(detail);
  }
}

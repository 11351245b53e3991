import type { DocumentFailureCode } from '@parley/contract';

/** Why a content has no text that is searched. */
export class ContentFailure extends Error {
  constructor(
    readonly code: DocumentFailureCode,
    readonly detail: string,
  ) {
    super(detail);
  }
}

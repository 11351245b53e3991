import type { DocumentFailureCode } from '@parley/contract';

/** Why a content yields no searchable text. */
export class ContentFailure extends Error {
  constructor(
    readonly code: DocumentFailureCode,
    readonly detail: string,
  ) {
    super(detail);
  }
}

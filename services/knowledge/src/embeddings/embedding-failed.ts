import type { EmbeddingFailureCode } from '@parley/contract';

/** Why the embeddings server of a knowledge base made no vectors. */
export class EmbeddingFailed extends Error {
  constructor(
    readonly code: EmbeddingFailureCode,
    readonly detail: string,
    /** Whether the server may have refused one of the texts, and would accept others. */
    readonly ofText = false,
  ) {
    super(detail);
  }
}

import type { VettedRequests } from '@parley/service';
import type { EmbeddingAccounts } from './accounts';
import { EmbeddingFailed } from './embedding-failed';
import { requestVectors, type EmbeddingAccount } from './request-vectors';

/** The server, model and account with which a knowledge base makes its vectors. */
export interface EmbeddingModel {
  readonly organizationId: string;
  readonly provider: string;
  readonly credentialId: string;
  readonly model: string;
  /** Undefined before the first answer. */
  readonly dimensions: number | undefined;
  readonly sendsDimensions: boolean;
}

export interface Embedding {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The signs of a vector as PostgreSQL writes bits, one for each dimension: 1 where the value is positive. */
export const signsOf = (vector: readonly number[]): string => vector.map((value) => (value > 0 ? '1' : '0')).join('');

/** Makes vectors of texts with the credentials of organizations. */
export class Embedder {
  constructor(
    readonly accounts: EmbeddingAccounts,
    private readonly requests: Pick<VettedRequests, 'fetch'>,
    /** Called with the tokens that a server has counted. */
    private readonly counted: (tokens: number) => void,
  ) {}

  /** Returns one vector for each text. A refused credential is opened again once, because it may have been replaced. @throws EmbeddingFailed */
  async embed(
    model: EmbeddingModel,
    texts: readonly string[],
    how: Embedding,
  ): Promise<readonly (readonly number[])[]> {
    const account = await this.accounts.open(model);
    try {
      return await this.request(account, model, texts, how);
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || error.code !== 'credential_refused') throw error;
      const replaced = await this.accounts.reopen(model, account);
      if (replaced === undefined) throw error;
      return this.request(replaced, model, texts, how);
    }
  }

  private async request(
    account: EmbeddingAccount,
    { model, dimensions, sendsDimensions }: EmbeddingModel,
    texts: readonly string[],
    how: Embedding,
  ): Promise<readonly (readonly number[])[]> {
    const asked = { account, model, dimensions, sendsDimensions, texts, ...how };
    const { vectors, tokens } = await requestVectors(this.requests, asked);
    this.counted(tokens);
    return vectors;
  }
}

import type { AgentsServiceServer } from '@parley/proto/agents';
import type { Database, GrpcClient } from '@parley/runtime';
import type { AddressPolicy } from '@parley/service';
import type { Embedder } from './embeddings';

/** Dependencies of the use cases. */
export interface Dependencies {
  readonly db: Database;
  /** Decides from which addresses documents may be fetched. */
  readonly policy: AddressPolicy;
  /** Makes vectors with the credentials of organizations. */
  readonly embedder: Embedder;
  readonly agents: Pick<GrpcClient<AgentsServiceServer>, 'findAgentWithBase'>;
  /** Called after the commit of a transaction that wrote outbox entries. */
  onCommit(): void;
  /** Called after the commit of work for the background: documents to process, vectors to make. */
  due(): void;
}

/** A record as JSON text, as a public route returns it. */
export interface RecordAnswer {
  readonly body: string;
  readonly etag?: string;
  /** True if the response is an earlier one for the Idempotency-Key. */
  readonly replayed?: boolean;
}

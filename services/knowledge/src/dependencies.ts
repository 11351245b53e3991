import type { Database } from '@parley/runtime';
import type { AddressPolicy } from '@parley/service';

/** Dependencies of the use cases. */
export interface Dependencies {
  readonly db: Database;
  /** The addresses that documents may be fetched from. */
  readonly policy: AddressPolicy;
  /** Call after the commit of a transaction that appended to the outbox. */
  onCommit(): void;
  /** Call after the commit of documents to be processed. */
  due(): void;
}

/** A record as JSON text, as a public route returns it. */
export interface RecordAnswer {
  readonly body: string;
  readonly etag?: string;
  /** True for a replay of an earlier response by Idempotency-Key. */
  readonly replayed?: boolean;
}

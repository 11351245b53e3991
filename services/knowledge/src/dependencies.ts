import type { Database } from '@parley/runtime';
import type { AddressPolicy } from '@parley/service';

/** What the use cases work with. */
export interface Dependencies {
  readonly db: Database;
  /** Which addresses documents may be read from. */
  readonly policy: AddressPolicy;
  /** To be called after the commit of what was appended to the outbox. */
  onCommit(): void;
  /** To be called after the commit of what is to be processed. */
  due(): void;
}

/** A record as JSON text, as a public route returns it. */
export interface RecordAnswer {
  readonly body: string;
  readonly etag?: string;
  /** True when an Idempotency-Key returned an earlier answer. */
  readonly replayed?: boolean;
}

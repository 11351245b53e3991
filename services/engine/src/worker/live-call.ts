import type { Leased } from './heartbeats';

/** A call that this worker conducts, of whatever line. */
export interface LiveCall extends Leased {
  /** Has another worker go on with the call as soon as one has room; absent: it is finished here. */
  handOver?(): void;
  /** Resolves when nothing of the call is left to do; never rejects. */
  readonly done: Promise<void>;
}

import type { Leased } from './heartbeats';

/** A call that this worker conducts, of whatever line. */
export interface LiveCall extends Leased {
  /** Resolves when nothing of the call is left to do; never rejects. */
  readonly done: Promise<void>;
}

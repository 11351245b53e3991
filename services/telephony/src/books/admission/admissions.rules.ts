import type { CallPriority } from '@parley/contract';
import type { CallEvent } from '../calls/call-event.rules';
import type { Call } from '../calls/call.rules';
import type { StateChange } from '../organizations/organization-state.rules';
import type { JobDialer } from '../queue/job-dialer.rules';

/** One admitted call of a batch. */
export interface Admission {
  /** The idempotency key; empty for none. */
  readonly request: { readonly route: string; readonly key: string; readonly fingerprint: Buffer };
  readonly call: Call;
  /** JSON of the call as created: the response to the client and to every replay, and the data of the events. */
  readonly rendered: string;
  readonly events: readonly CallEvent[];
  /** Null for a call that is not to be dialed, or not yet. */
  readonly jobId: string | null;
  /** Stored with a scheduled call until the call is due. */
  readonly consent: boolean;
  readonly language: string | undefined;
  readonly priority: CallPriority;
  readonly dialer: JobDialer;
  readonly placedBy: string;
  readonly traceparent: string | undefined;
}

export interface BatchWrite {
  readonly admissions: readonly Admission[];
  /** The state revision that the batch was decided on. */
  readonly revision: number;
  readonly change: StateChange;
  /** Whether this transaction has already locked the queue; see `lockQueueAndState`. */
  readonly queueTaken: boolean;
}

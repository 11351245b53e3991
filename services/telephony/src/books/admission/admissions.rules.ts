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

/**
 * - `written`: all rows of the batch are written.
 * - `overtaken`: the counter row has changed since the batch was decided, or is not found from the era read last; nothing is written.
 * - `key_taken`: another request took a key in the meantime; nothing is written.
 */
export type BatchOutcome = 'written' | 'overtaken' | 'key_taken';

/** The SQLSTATE of refuse_admission (migration 0001). */
const refusalState = 'PA001';

/** Whether a cap rolled the statement back for this reason. */
export function isRefusal(error: unknown, reason: string): boolean {
  return error instanceof Error && 'code' in error && error.code === refusalState && error.message === reason;
}

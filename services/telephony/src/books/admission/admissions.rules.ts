import type { CallPriority, Dialer, SimulatorPace } from '@parley/contract';
import type { CallEvent } from '../calls/call-event.rules';
import type { Call } from '../calls/call.rules';
import type { OrganizationState, StateChange } from '../organizations/organization-state.rules';
import type { JobDialer } from '../queue/job.rules';

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
  /** Whether this transaction has already locked the queue; see `lockCounters`. */
  readonly queueTaken: boolean;
}

export interface SendingNumber {
  readonly phoneNumber: string;
  readonly projectId: string;
  /** One of the contract's `numberProviders`. */
  readonly provider: string;
  readonly simulatorPace: SimulatorPace;
  readonly dialer: Dialer;
}

/** Selects the data that the waiting requests of one organization need. */
export interface AdmissionQuestion {
  readonly route: string;
  /** Their Idempotency-Keys. */
  readonly keys: readonly string[];
  /** The caller numbers that they specify. */
  readonly from: readonly string[];
  /** Whether at least one of them specified no caller number. */
  readonly anyNumber: boolean;
  /** The numbers to call. */
  readonly to: readonly string[];
}

export interface AdmissionSnapshot {
  /** The database's clock. */
  readonly now: Date;
  /** Keys with a stored response. */
  readonly storedKeys: ReadonlySet<string>;
  /** Those of the specified caller numbers that are live. */
  readonly named: readonly SendingNumber[];
  /** Up to `numbersRead` of the organization's live numbers, for requests without a caller number; all of them if there are fewer. */
  readonly first: readonly SendingNumber[];
  /** Suppressed numbers that the calls would reach. */
  readonly suppressed: ReadonlySet<string>;
  /** JSON of the organization's outbound policy; null for none. */
  readonly policy: string | null;
  /** Undefined before the organization's first admission. */
  readonly state: OrganizationState | undefined;
}

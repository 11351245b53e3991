import { isLineCarrier, type Dialer } from '@parley/contract';
import type { Call, CallStatus } from '../calls/call.rules';

/** Whose workers claim a job. `platform`: no worker does, because the platform itself places the call. */
export type JobDialer = Dialer | 'platform';

/** Who dials for a number. The platform dials for numbers of an organization's carrier account or trunk, unless the organization's own workers do. */
export const jobDialerOf = ({ provider, dialer }: { readonly provider: string; readonly dialer: Dialer }): JobDialer =>
  dialer === 'hosted' && isLineCarrier(provider) ? 'platform' : dialer;

/** `adoptable`: waits for a connection that presents the adoption token. */
export type JobState = 'queued' | 'adoptable' | 'leased' | 'done';

/** A job, locked until the transaction ends. */
export interface LockedJob {
  readonly jobId: string;
  readonly organizationId: string;
  readonly callId: string;
  /** The organization whose own workers conduct it; empty: hosted workers. */
  readonly workersOf: string;
  readonly state: JobState;
  readonly epoch: string;
  readonly permitted: boolean;
  readonly cancelRequested: boolean;
  /** Whose workers may claim it. */
  readonly dialer: JobDialer;
  /** When its worker was lost; null: it has a worker, or never had one. */
  readonly lostAt: Date | null;
}

/** The worker of a claim, and the jobs that it may claim. */
export interface ClaimScope {
  /** Empty: jobs of any organization for hosted workers; otherwise jobs for the organization's own workers. */
  readonly organizationId: string;
  readonly kinds: readonly string[];
  readonly workerId: string;
  readonly leaseSeconds: number;
  /** Suspended organizations, whose jobs stay queued. */
  readonly heldOrganizations: readonly string[];
  readonly heldAgents: readonly string[];
  /** The worker's capabilities: it gets only jobs whose needs they cover. */
  readonly capabilities: readonly string[];
  /** The digest of its declaration. */
  readonly declaration: string;
  /** Claims jobs of calls that the platform itself places instead of jobs for workers. */
  readonly platform?: boolean;
}

export interface ClaimedJob {
  readonly jobId: string;
  readonly kind: string;
  readonly epoch: string;
  readonly call: Call;
}

export interface LeaseRequest {
  readonly jobId: string;
  readonly epoch: string;
}

export interface HeldLease extends LeaseRequest {
  readonly cancelRequested: boolean;
}

/** The response to a report. */
export interface ReportAnswer {
  readonly callStatus: CallStatus;
  readonly cancelRequested: boolean;
}

/** A job that a token names. */
export interface TokenedJob {
  readonly jobId: string;
  /** Undefined: the job was not adopted. */
  readonly adoption: Adoption | undefined;
  /** Whether the job can be adopted now. */
  readonly open: boolean;
  readonly call: Call;
}

export interface Adoption {
  readonly workerId: string;
  readonly epoch: string;
  /** The adopter is of the requested worker kind, still has its lease, and has not reported anything yet. */
  readonly fresh: boolean;
}

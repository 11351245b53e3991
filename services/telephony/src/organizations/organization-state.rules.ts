/** Limits of an organization set by an operator; null: no limit (for the queue: the configured default). */
export interface OrganizationLimits {
  readonly queueCap: number | null;
  readonly liveCallsCap: number | null;
  readonly callsPerMinute: number | null;
  readonly callsPerHour: number | null;
  /** Micro-USD that the calls admitted on one day (UTC) may cost in total. */
  readonly dailySpendCapMicros: number | null;
}

export type Billing = 'unmetered' | 'prepaid';

/** An organization's contended row: the counters that all caps are checked against. Micro-units are integers below 2^53. */
export interface OrganizationState {
  /** Incremented by every write that reserves capacity; a write that only releases capacity leaves it unchanged. */
  readonly revision: number;
  readonly billing: Billing;
  readonly limits: OrganizationLimits;
  /** Waiting jobs. */
  readonly queued: number;
  /** Admitted calls that are not over. */
  readonly live: number;
  /** See admission/velocity.rules.ts. */
  readonly recent: string;
  /** YYYY-MM-DD in UTC, and what the calls admitted on that day cost or may still cost. */
  readonly spendDay: string;
  readonly spendMicros: number;
  readonly balanceMicros: number;
  readonly reservedMicros: number;
  /** Jobs per second that recently left the queue; 0 for none. */
  readonly drainPerSecond: number;
}

/** What an operator limits an organization to; null: no limit (the queue: the configured default). */
export interface OrganizationLimits {
  readonly queueCap: number | null;
  readonly liveCallsCap: number | null;
  readonly callsPerMinute: number | null;
  readonly callsPerHour: number | null;
  /** Micro-USD that the calls admitted on one day (UTC) may cost together. */
  readonly dailySpendCapMicros: number | null;
}

export type Billing = 'unmetered' | 'prepaid';

/** An organization's contended row: all that caps are held against. Micro-units are integers below 2^53. */
export interface OrganizationState {
  /** Raised by every write that takes room; one that only makes room leaves it. */
  readonly revision: number;
  readonly billing: Billing;
  readonly limits: OrganizationLimits;
  /** Jobs that wait. */
  readonly queued: number;
  /** Admitted calls that are not over. */
  readonly live: number;
  /** See admission/velocity.rules.ts. */
  readonly recent: string;
  /** YYYY-MM-DD in UTC, and what the calls admitted on it cost or may still cost. */
  readonly spendDay: string;
  readonly spendMicros: number;
  readonly balanceMicros: number;
  readonly reservedMicros: number;
  /** Jobs a second that left the queue lately; 0 when none did. */
  readonly drainPerSecond: number;
}

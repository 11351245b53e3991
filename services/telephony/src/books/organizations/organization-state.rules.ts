/** Limits of an organization set by an operator; null: no limit (for the queue: the configured default). */
export interface OrganizationLimits {
  readonly queueCap: number | null;
  readonly liveCallsCap: number | null;
  readonly callsPerMinute: number | null;
  readonly callsPerHour: number | null;
  /** Maximum total cost in micro-USD of the calls admitted on one day (UTC). */
  readonly dailySpendCapMicros: number | null;
}

export type Billing = 'unmetered' | 'prepaid';

/** The content of an organization's counter row: the counters against which all caps are checked. Micro-USD amounts are integers below 2^53. */
export interface OrganizationState {
  /** Incremented by every write that reserves capacity; writes that only release capacity do not change it. */
  readonly revision: number;
  readonly billing: Billing;
  readonly limits: OrganizationLimits;
  /** The number of waiting jobs. */
  readonly queued: number;
  /** The number of admitted calls that are not over. */
  readonly live: number;
  /** See books/organizations/velocity.rules.ts. */
  readonly recent: string;
  /** YYYY-MM-DD in UTC. `spendMicros` is the cost of the calls admitted on that day, including what running ones may still cost. */
  readonly spendDay: string;
  readonly spendMicros: number;
  readonly balanceMicros: number;
  readonly reservedMicros: number;
  /** Jobs that recently left the queue, per second; 0 for none. */
  readonly drainPerSecond: number;
}

/** The changes that a batch makes to the counter row. */
export interface StateChange {
  readonly queued: number;
  readonly live: number;
  readonly reservedMicros: number;
  readonly spendMicros: number;
  readonly spendDay: string;
  readonly recent: string;
}

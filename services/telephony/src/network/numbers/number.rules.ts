import type { Dialer, SimulatorPace } from '@parley/contract';

/** A live number of an organization. */
export interface HeldNumber {
  readonly organizationId: string;
  readonly projectId: string;
  readonly inboundAgentId: string | null;
  /** One of the contract's `numberProviders`. */
  readonly provider: string;
  readonly simulatorPace: SimulatorPace;
  readonly dialer: Dialer;
}

/** A way in which calls of a project can be placed; without a provider for a project that has no number yet. */
export interface ProjectLine {
  readonly provider?: string;
  readonly dialer: Dialer;
}

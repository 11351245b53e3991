import { initialHealth, type EndpointHealth, type HealthState } from './endpoint-health.rules';
import type { LeasedEndpoint } from './endpoint-leases.cross-tenant.sql';
import { SendRate } from './send-rate.rules';

/** A queue that this replica works, as it knows it. */
export interface EndpointQueue {
  readonly endpointId: string;
  readonly organizationId: string;
  state: EndpointHealth;
  /** What is written of it in its row. */
  written: EndpointHealth;
  /** What the endpoint takes in a second. */
  readonly pace: SendRate;
  /** Attempts under way. */
  inFlight: number;
  /** Results not yet written. */
  unwritten: number;
  /** The last query returned fewer rows than free slots, and nothing new was reported since. */
  drained: boolean;
  /** A version that grows with each change, to notice changes during a poll. */
  version: number;
  /** It had at least one turn since it was taken. */
  served: boolean;
  sinceMs: number;
  /** Until then, by the monotonic clock, the lease is certainly ours. */
  safeUntilMs: number;
}

export function endpointQueue(queue: LeasedEndpoint, sinceMs: number, safeUntilMs: number): EndpointQueue {
  const state = initialHealth(queue.health, queue.failures);
  return {
    endpointId: queue.endpoint_id,
    organizationId: queue.organization_id,
    state,
    written: state,
    pace: new SendRate(queue.max_per_second),
    inFlight: 0,
    unwritten: 0,
    drained: false,
    version: 0,
    served: false,
    sinceMs,
    safeUntilMs,
  };
}

/** Nothing of it is under way here. */
export const isIdle = (queue: EndpointQueue): boolean => queue.inFlight === 0 && queue.unwritten === 0;

/** Queues held and attempts under way, by health. */
export type Usage = Record<HealthState, { held: number; inFlight: number }>;

export function usageOf(queues: Iterable<EndpointQueue>): Usage {
  const usage: Usage = {
    healthy: { held: 0, inFlight: 0 },
    unproven: { held: 0, inFlight: 0 },
    failing: { held: 0, inFlight: 0 },
  };
  for (const { state, inFlight } of queues) {
    usage[state.health].held += 1;
    usage[state.health].inFlight += inFlight;
  }
  return usage;
}

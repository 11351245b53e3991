import { initialHealth, type EndpointHealth, type HealthState } from './endpoint-health.rules';
import type { LeasedEndpoint } from './endpoint-leases.cross-tenant.sql';
import { SendRate } from './send-rate.rules';

/** A queue leased to this replica, with its local state. */
export interface EndpointQueue {
  readonly endpointId: string;
  readonly organizationId: string;
  state: EndpointHealth;
  /** The health as stored in its row. */
  written: EndpointHealth;
  /** The endpoint's rate limit. */
  readonly pace: SendRate;
  /** Attempts in progress. */
  inFlight: number;
  /** Results not yet written. */
  unwritten: number;
  /** The last query returned fewer rows than free slots, and no new deliveries were reported since. */
  drained: boolean;
  /** Incremented with each change, to detect changes during a poll. */
  version: number;
  /** It had at least one turn since it was leased. */
  served: boolean;
  sinceMs: number;
  /** Until this monotonic time the lease is certainly valid. */
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

/** No attempt of it is in progress here. */
export const isIdle = (queue: EndpointQueue): boolean => queue.inFlight === 0 && queue.unwritten === 0;

/** Leased queues and attempts in progress, by health. */
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

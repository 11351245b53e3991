import { initialHealth, type EndpointHealth, type HealthState } from './endpoint-health.rules';
import type { LeasedEndpoint } from './endpoint-leases.cross-tenant.sql';
import { SendRate } from './send-rate.rules';

/** A queue leased to this replica, with its local state. */
export interface EndpointQueue {
  readonly endpointId: string;
  readonly organizationId: string;
  state: EndpointHealth;
  /** The health stored in the database. */
  written: EndpointHealth;
  /** Enforces the endpoint's rate limit. */
  readonly pace: SendRate;
  /** The number of attempts in progress. */
  inFlight: number;
  /** The number of results not yet written. */
  unwritten: number;
  /** Whether the last query returned fewer deliveries than there were free slots, and no new deliveries were reported since. */
  drained: boolean;
  /** Incremented with each reported change, so that changes during a query are detected. */
  version: number;
  /** Whether the queue has had a turn since it was leased. */
  served: boolean;
  sinceMs: number;
  /** When the last attempt began, or the queue was leased. */
  activeMs: number;
  /** Whether the queue was leased again soon after this replica had released it. */
  readonly busy: boolean;
  /** The lease is certainly valid until this time of the monotonic clock. */
  safeUntilMs: number;
}

export function endpointQueue(
  queue: LeasedEndpoint,
  { sinceMs, safeUntilMs, busy }: Pick<EndpointQueue, 'sinceMs' | 'safeUntilMs' | 'busy'>,
): EndpointQueue {
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
    activeMs: sinceMs,
    busy,
    safeUntilMs,
  };
}

/** Whether this process has neither attempts in progress nor unwritten results of the queue. */
export const isIdle = (queue: EndpointQueue): boolean => queue.inFlight === 0 && queue.unwritten === 0;

/** The numbers of leased queues and of attempts in progress, by health. */
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

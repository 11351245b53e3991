/** The health of an endpoint, which determines how many slots it gets. */
export type HealthState = 'unproven' | 'healthy' | 'failing';

export interface EndpointHealth {
  readonly health: HealthState;
  /** Consecutive failed attempts since the last success. */
  readonly failures: number;
  /** Maximum of concurrent attempts for the endpoint. */
  readonly window: number;
}

/** Consecutive failures after which an endpoint counts as failing. */
export const failuresToFailing = 3;
export const concurrencyWindow = { first: 8, most: 64 } as const;

/** The state of an endpoint when a replica leases its queue. */
export function initialHealth(health: HealthState, failures: number): EndpointHealth {
  return { health, failures, window: health === 'healthy' ? concurrencyWindow.first : 1 };
}

/** After a success the window of a healthy endpoint grows by one, after a failure it is halved. Unproven and failing endpoints have a window of one. */
export function nextHealthState(state: EndpointHealth, succeeded: boolean): EndpointHealth {
  if (succeeded) {
    const window =
      state.health === 'healthy' ? Math.min(state.window + 1, concurrencyWindow.most) : concurrencyWindow.first;
    return { health: 'healthy', failures: 0, window };
  }
  const failures = state.failures + 1;
  if (failures >= failuresToFailing) return { health: 'failing', failures, window: 1 };
  return { ...state, failures, window: Math.max(Math.floor(state.window / 2), 1) };
}

/** How far an endpoint is trusted with slots. */
export type Standing = 'unproven' | 'healthy' | 'failing';

export interface LaneState {
  readonly standing: Standing;
  /** Failed attempts since the last success. */
  readonly failures: number;
  /** Attempts that may be under way at once. */
  readonly window: number;
}

/** Failures in a row after which a lane counts as failing. */
export const failuresToFailing = 3;
export const windowBounds = { first: 8, most: 64 } as const;

/** The state of a lane as its replica takes it over. */
export function laneStateOf(standing: Standing, failures: number): LaneState {
  return { standing, failures, window: standing === 'healthy' ? windowBounds.first : 1 };
}

/** Additive increase, multiplicative decrease; anyone who is unproven or failing holds a single slot. */
export function afterAttempt(state: LaneState, succeeded: boolean): LaneState {
  if (succeeded) {
    const window = state.standing === 'healthy' ? Math.min(state.window + 1, windowBounds.most) : windowBounds.first;
    return { standing: 'healthy', failures: 0, window };
  }
  const failures = state.failures + 1;
  if (failures >= failuresToFailing) return { standing: 'failing', failures, window: 1 };
  return { ...state, failures, window: Math.max(Math.floor(state.window / 2), 1) };
}

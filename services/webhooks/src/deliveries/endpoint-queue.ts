import { laneStateOf, type LaneState, type Standing } from './lane-standing.rules';
import type { LeasedLane } from './lanes.cross-tenant.sql';
import { Pace } from './pace.rules';

/** A lane that this replica works, as it knows it. */
export interface HeldLane {
  readonly endpointId: string;
  readonly organizationId: string;
  state: LaneState;
  /** What is written of it in its row. */
  written: LaneState;
  /** What the endpoint takes in a second. */
  readonly pace: Pace;
  /** Attempts under way. */
  inFlight: number;
  /** Results not yet written. */
  unwritten: number;
  /** The last query returned fewer rows than free slots, and nothing new was reported since. */
  dry: boolean;
  /** Counts what was heard of it, to notice news that come during a look. */
  news: number;
  /** It had at least one turn since it was taken. */
  served: boolean;
  sinceMs: number;
  /** Until then, by the monotonic clock, the lease is certainly ours. */
  safeUntilMs: number;
}

export function heldLane(lane: LeasedLane, sinceMs: number, safeUntilMs: number): HeldLane {
  const state = laneStateOf(lane.standing, lane.failures);
  return {
    endpointId: lane.endpoint_id,
    organizationId: lane.organization_id,
    state,
    written: state,
    pace: new Pace(lane.max_per_second),
    inFlight: 0,
    unwritten: 0,
    dry: false,
    news: 0,
    served: false,
    sinceMs,
    safeUntilMs,
  };
}

/** Nothing of it is under way here. */
export const isIdle = (lane: HeldLane): boolean => lane.inFlight === 0 && lane.unwritten === 0;

/** Lanes held and attempts under way, by standing. */
export type Usage = Record<Standing, { held: number; inFlight: number }>;

export function usageOf(lanes: Iterable<HeldLane>): Usage {
  const usage: Usage = {
    healthy: { held: 0, inFlight: 0 },
    unproven: { held: 0, inFlight: 0 },
    failing: { held: 0, inFlight: 0 },
  };
  for (const { state, inFlight } of lanes) {
    usage[state.standing].held += 1;
    usage[state.standing].inFlight += inFlight;
  }
  return usage;
}

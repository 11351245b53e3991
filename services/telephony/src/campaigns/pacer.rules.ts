import { countRecent } from '../admission/velocity.rules';

export interface Pace {
  /** Open calls. */
  readonly live: number;
  /** Calls in review. */
  readonly inReview: number;
  readonly maxConcurrent: number;
  readonly callsPerMinute: number;
  /** Recent placements; see admission/velocity.rules.ts. */
  readonly recent: string;
}

export interface Allowance {
  /** How many may be placed now. */
  readonly calls: number;
  /** What prevents the next placement; null if nothing does. */
  readonly heldBy: 'pace' | 'reviews' | null;
}

/** Calls that may be in review at a time; more would only go stale. */
export const mostInReview = 1000;

/**
 * How many calls may be placed now: so many that no more than `maxConcurrent` are live and that no minute, wherever it begins,
 * sees more than `callsPerMinute`. Whenever both have room for one, it allows one. Pure.
 */
export function allowance({ live, inReview, maxConcurrent, callsPerMinute, recent }: Pace, now: Date): Allowance {
  const reviews = mostInReview - inReview;
  if (reviews <= 0) return { calls: 0, heldBy: 'reviews' };
  const free = Math.max(0, maxConcurrent - live);
  const minute = Math.max(0, callsPerMinute - countRecent(recent, now).lastMinute);
  return { calls: Math.min(free, minute, reviews), heldBy: minute === 0 ? 'pace' : null };
}

import { countRecent } from '../admission/velocity.rules';

export interface Pace {
  /** Calls that are not over. */
  readonly live: number;
  /** Calls that wait for a person. */
  readonly inReview: number;
  readonly maxConcurrent: number;
  readonly callsPerMinute: number;
  /** Recent placements; admission/velocity.rules.ts. */
  readonly recent: string;
}

export interface Allowance {
  /** How many may be placed now. */
  readonly calls: number;
  /** What holds the next one back, where nothing may be placed. */
  readonly heldBy: 'pace' | 'reviews' | null;
}

/** Calls that may wait for a person at once; more would only age. */
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

import { countRecent } from '../books/organizations/velocity.rules';

export interface Pace {
  /** The number of open calls. */
  readonly live: number;
  /** The number of calls in review. */
  readonly inReview: number;
  readonly maxConcurrent: number;
  readonly callsPerMinute: number;
  /** Recent placements; see books/organizations/velocity.rules.ts. */
  readonly recent: string;
}

export interface Allowance {
  /** How many calls may be placed now. */
  readonly calls: number;
  /** What prevents further placements; null if nothing does. */
  readonly heldBy: 'pace' | 'reviews' | null;
}

/** Maximum of calls that may be in review at a time: with more, reviews would take so long that the calls become outdated. */
export const mostInReview = 1000;

/**
 * How many calls may be placed now, so that at most `maxConcurrent` are live and at most `callsPerMinute` are placed in any 60 seconds. If both limits have
 * room for one call, at least one is allowed. Pure.
 */
export function allowance({ live, inReview, maxConcurrent, callsPerMinute, recent }: Pace, now: Date): Allowance {
  const reviews = mostInReview - inReview;
  if (reviews <= 0) return { calls: 0, heldBy: 'reviews' };
  const free = Math.max(0, maxConcurrent - live);
  const minute = Math.max(0, callsPerMinute - countRecent(recent, now).lastMinute);
  return { calls: Math.min(free, minute, reviews), heldBy: minute === 0 ? 'pace' : null };
}

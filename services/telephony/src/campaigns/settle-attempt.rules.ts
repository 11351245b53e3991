import type { AttemptStatus, ContactOutcome } from '@parley/contract';
import { retryAt } from './attempt-outcome.rules';
import { isOver, isPastEnd, type Attempt, type Campaign } from './campaign.rules';

/** The counter of the campaign that includes a contact whose attempt has this status. */
const countOf = {
  placing: 'live',
  placed: 'live',
  waiting: 'waiting',
  approved: 'waiting',
  review: 'inReview',
  over: 'completed',
} as const satisfies Record<AttemptStatus, keyof Campaign>;

export interface MovedAttempt {
  readonly campaign: Campaign;
  readonly attempt: Attempt;
}

/** Gives an open attempt another status that is not `over`, and updates the counters. */
export function moveAttempt(
  campaign: Campaign,
  attempt: Attempt,
  change: Partial<Attempt> & { readonly status: Exclude<AttemptStatus, 'over'> },
): MovedAttempt {
  const from = countOf[attempt.status];
  const to = countOf[change.status];
  const moved = { ...attempt, ...change };
  if (from === to) return { campaign, attempt: moved };
  return { campaign: { ...campaign, [from]: campaign[from] - 1, [to]: campaign[to] + 1 }, attempt: moved };
}

export interface SettledAttempt extends MovedAttempt {
  /** When its contact is called again; null: never. */
  readonly nextAttemptAt: Date | null;
  /** The attempt is not counted, because the contact was not called. */
  readonly uncounted: boolean;
}

/**
 * Ends an attempt with an outcome: its contact is completed, or waits for the next attempt. An attempt that was withdrawn before dialing is not counted,
 * unless its campaign ends. Pure.
 * @param attempts attempts of the contact so far, including this one
 */
export function settleAttempt(
  campaign: Campaign,
  attempt: Attempt,
  attempts: number,
  outcome: ContactOutcome,
  now: Date,
): SettledAttempt {
  const ending = isOver(campaign) || isPastEnd(campaign, now);
  const takenBack = attempt.withdrawn && outcome === 'canceled';
  const nextAttemptAt = ending
    ? null
    : takenBack
      ? now
      : (retryAt(campaign.settings.retry, outcome, attempts, now) ?? null);
  const uncounted = takenBack || attempt.callId === null;
  const from = countOf[attempt.status];
  const counted = { ...campaign, [from]: campaign[from] - 1 };
  return {
    campaign: {
      ...counted,
      pending: counted.pending + (nextAttemptAt === null ? 0 : 1),
      completed: counted.completed + (nextAttemptAt === null ? 1 : 0),
      attempts: counted.attempts - (uncounted ? 1 : 0),
      outcomes:
        nextAttemptAt === null
          ? { ...counted.outcomes, [outcome]: (counted.outcomes[outcome] ?? 0) + 1 }
          : counted.outcomes,
      lastAttempts: uncounted ? counted.lastAttempts : noteAttempt(counted.lastAttempts, outcome),
    },
    attempt: { ...attempt, status: 'over', outcome, waitsFor: null, completedAt: now },
    nextAttemptAt,
    uncounted,
  };
}

/** The number of attempts over which the failure rate is computed. */
export const breakerAttempts = 50;

/** Appends an outcome to the history of attempts. */
export const noteAttempt = (lastAttempts: string, outcome: ContactOutcome): string =>
  (lastAttempts + (outcome === 'failed' ? 'f' : '.')).slice(-breakerAttempts);

/** Whether at least this percentage of the last 50 attempts failed; false while there are fewer than 50. */
export function isBroken(lastAttempts: string, percent: number | null): boolean {
  if (percent === null || lastAttempts.length < breakerAttempts) return false;
  const failed = [...lastAttempts].filter((attempt) => attempt === 'f').length;
  return failed * 100 >= percent * breakerAttempts;
}

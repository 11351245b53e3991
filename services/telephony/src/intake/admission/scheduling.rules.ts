import { limits } from '@parley/contract';
import { invalidField } from '@parley/errors';

const { pastSeconds, aheadDays } = limits.scheduledCall;

/**
 * Whether a call is scheduled for the future. A time that passed only recently, within the tolerated clock difference, means now.
 * @param now the database's clock
 * @throws AppError BadRequestError naming scheduled_at
 */
export function isScheduled(scheduledAt: string | undefined, now: Date): boolean {
  if (scheduledAt === undefined) return false;
  const aheadMs = Date.parse(scheduledAt) - now.getTime();
  if (aheadMs < -pastSeconds * 1000) {
    throw invalidField('scheduled_at', 'too_small', `must not be more than ${pastSeconds} seconds ago`);
  }
  if (aheadMs > aheadDays * 86_400_000) {
    throw invalidField('scheduled_at', 'too_large', `must not be more than ${aheadDays} days ahead`);
  }
  return aheadMs > 0;
}

/** How long a due call waits for capacity, counted from the first time that it found none. */
export const longestWaitSeconds = 3600;

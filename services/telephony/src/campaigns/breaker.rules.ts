import type { ContactOutcome } from '@parley/contract';

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

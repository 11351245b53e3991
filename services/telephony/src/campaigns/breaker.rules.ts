import type { ContactOutcome } from '@parley/contract';

/** The number of attempts that the failure rate is computed over. */
export const breakerAttempts = 50;

/** The last attempts, with one appended. */
export const noteAttempt = (lastAttempts: string, outcome: ContactOutcome): string =>
  (lastAttempts + (outcome === 'failed' ? 'f' : '.')).slice(-breakerAttempts);

/** Whether at least this percentage of the last 50 failed; never before there are 50. */
export function isBroken(lastAttempts: string, percent: number | null): boolean {
  if (percent === null || lastAttempts.length < breakerAttempts) return false;
  const failed = [...lastAttempts].filter((attempt) => attempt === 'f').length;
  return failed * 100 >= percent * breakerAttempts;
}

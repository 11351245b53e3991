import { DueFloor, systemClock } from '@parley/runtime';

/**
 * The start of the oldest lease, from which statements read leased jobs: index entries of jobs that are no longer leased remain while a transaction keeps an old
 * snapshot. `probeLeases` moves it.
 */
export const leaseFloor = new DueFloor(systemClock);

/**
 * SQL condition for leased jobs.
 * @param job the alias of `jobs`
 * @param floor an SQL parameter: the value of `leaseFloor`
 */
export const isLeased = (job: string, floor: string): string =>
  `${job}.state = 'leased' and ${job}.leased_at >= ${floor}::timestamptz`;

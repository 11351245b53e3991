import { DueFloor, systemClock } from '@parley/runtime';

/** The earliest time until which a job may be adopted, from which statements read adoptable jobs. `anyUnadopted` moves it. */
export const adoptionFloor = new DueFloor(systemClock, { lookEveryMs: 5_000, nearMs: 5_000 });

/**
 * SQL condition for jobs that a worker may adopt.
 * @param job the alias of `jobs`
 * @param floor an SQL parameter: the value of `adoptionFloor`
 */
export const isAdoptable = (job: string, floor: string): string =>
  `${job}.state = 'adoptable' and ${job}.adopt_before >= ${floor}::timestamptz`;

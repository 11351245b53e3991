/** A call that lost its worker is given up if no other worker has adopted it after this time (ADR 30, point 5). */
export const lostSeconds = 30;
/** When a worker stops, how long a slot of another worker is kept for its call. */
export const grantSeconds = 40;

/** Whether another worker may still adopt a call whose worker was lost at `lostAt`. */
export const mayBeTakenUp = (lostAt: Date, now: Date): boolean =>
  now.getTime() - lostAt.getTime() <= lostSeconds * 1_000;

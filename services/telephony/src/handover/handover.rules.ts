/** A call that lost its worker is given up when none has adopted it after this time (ADR 30, point 5). */
export const lostSeconds = 30;
/** A slot of another worker is kept for the call of one that stops. */
export const grantSeconds = 40;

/** Whether another worker may still take up a call whose worker was lost then. */
export const mayBeTakenUp = (lostAt: Date, now: Date): boolean =>
  now.getTime() - lostAt.getTime() <= lostSeconds * 1_000;

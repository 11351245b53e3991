import type { Queryable } from '@parley/runtime';
import { callOfKey, type OpenAttempt } from './attempts.sql';
import { outcomeOf } from './attempt-outcome.rules';
import { isOver, isPastEnd, type Attempt, type Campaign } from './campaign.rules';
import { AttemptUnitOfWork } from './attempt-unit-of-work';
import { admissionRoute, keyOf } from './place-attempt';

/** An attempt in placement for this long is considered abandoned: the process that placed it must have timed out. */
const staleAfterMs = 30_000;

export const isStale = ({ status, readyAt }: Attempt, now: Date): boolean =>
  status === 'placing' && now.getTime() - readyAt.getTime() > staleAfterMs;

/** Whether an attempt has no call and will not get one: its campaign ends, or it is paused and the placing process died. */
const isLeft = (attempt: Attempt, ending: boolean, paused: boolean, now: Date): boolean =>
  attempt.callId === null && (isStale(attempt, now) ? ending || paused : ending && attempt.status !== 'placing');

export interface SettledOpen {
  readonly campaign: Campaign;
  /** Open attempts in their current state. */
  readonly open: readonly OpenAttempt[];
}

/** Settles every attempt whose call is over. If the campaign ends, attempts that have no call and will not get one are settled too. */
export async function reconcileOpenAttempts(
  tx: Queryable,
  campaign: Campaign,
  open: readonly OpenAttempt[],
  now: Date,
): Promise<SettledOpen> {
  const attempts = new AttemptUnitOfWork(campaign, now);
  const ending = isOver(campaign) || isPastEnd(campaign, now);
  const still: OpenAttempt[] = [];
  for (const attempt of open) {
    const outcome = attempt.call === undefined ? undefined : outcomeOf(attempt.call);
    if (outcome !== undefined) attempts.settle(attempt, outcome);
    else if (isLeft(attempt, ending, campaign.status === 'paused', now)) {
      // The process that placed it may have created the call before it died.
      const callId = await callOfKey(tx, campaign.organizationId, admissionRoute, keyOf(attempt));
      if (callId !== undefined) still.push(attempts.move(attempt, { status: 'placed', callId }));
      else if (ending) attempts.settle(attempt, 'canceled');
      else still.push(attempts.move(attempt, { status: 'waiting', readyAt: now }));
    } else if (attempt.status === 'review' && attempt.call?.status !== 'needs_review') {
      // The call was approved through its own route.
      still.push(attempts.move(attempt, { status: 'placed' }));
    } else still.push(attempt);
  }
  await attempts.write(tx);
  return { campaign: attempts.campaign, open: still };
}

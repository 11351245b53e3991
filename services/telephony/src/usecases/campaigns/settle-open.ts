import type { Queryable } from '@parley/runtime';
import { callOfKey, type OpenAttempt } from '../../db/campaigns/attempts';
import { outcomeOf } from '../../domain/campaigns/attempt-outcome';
import { isOver, isPastEnd, type Attempt, type Campaign } from '../../domain/campaigns/campaign';
import { Ledger } from './ledger';
import { admissionRoute, keyOf } from './place-attempt';

/** An attempt that has been placed for this long is nobody's any more: whoever was at it gave up long ago. */
const staleAfterMs = 30_000;

export const isStale = ({ status, readyAt }: Attempt, now: Date): boolean =>
  status === 'placing' && now.getTime() - readyAt.getTime() > staleAfterMs;

export interface SettledOpen {
  readonly campaign: Campaign;
  /** What is not over yet, as it stands now. */
  readonly open: readonly OpenAttempt[];
}

/** Settles every attempt whose call is over, and of a campaign that ends also those that have no call and will get none. */
export async function settleOpen(
  tx: Queryable,
  campaign: Campaign,
  open: readonly OpenAttempt[],
  now: Date,
): Promise<SettledOpen> {
  const ledger = new Ledger(campaign, now);
  const ending = isOver(campaign) || isPastEnd(campaign, now);
  const still: OpenAttempt[] = [];
  for (const attempt of open) {
    const outcome = attempt.call === undefined ? undefined : outcomeOf(attempt.call);
    if (outcome !== undefined) ledger.settle(attempt, outcome);
    else if (ending && attempt.callId === null && (attempt.status !== 'placing' || isStale(attempt, now))) {
      // Whoever died over it may have placed it all the same.
      const callId = await callOfKey(tx, campaign.organizationId, admissionRoute, keyOf(attempt));
      if (callId === undefined) ledger.settle(attempt, 'canceled');
      else still.push(ledger.move(attempt, { status: 'placed', callId }));
    } else if (attempt.status === 'review' && attempt.call?.status !== 'needs_review') {
      // Approved by the route of its call.
      still.push(ledger.move(attempt, { status: 'placed' }));
    } else still.push(attempt);
  }
  await ledger.write(tx);
  return { campaign: ledger.campaign, open: still };
}

import type { CampaignReviewResolve } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { auditEvent } from '@parley/service';
import { lockCall } from '../books';
import { findAttempt, listOpenAttempts } from './attempts.sql';
import { isStarter, lockCampaign, writeCampaign } from './campaigns.sql';
import { refusePlacer, rejectReview } from '../intake';
import { isOver, isPastEnd, type Attempt } from './campaign.rules';
import { renderAttempt } from './render-campaign.rules';
import type { Telephony } from '../telephony';
import { AttemptUnitOfWork } from './attempt-unit-of-work';
import { getCampaign } from './read-campaigns';

/**
 * Resolves an attempt that waits for a review, only once even with concurrent requests. If approved, its call is queued when the campaign has a free line; if
 * rejected, its call is canceled and its contact is completed.
 * @returns JSON of CampaignAttemptRecord
 * @throws NotFoundError; ConflictError if the attempt does not wait for a review, and for a key that launched or resumed the campaign
 */
export async function resolveCampaignReview(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  named: string,
  campaignId: string,
  attemptId: string,
  body: () => CampaignReviewResolve,
  context: OutgoingContext,
): Promise<string> {
  const { db } = telephony;
  const { organizationId, projectId } = await getCampaign(db, named, campaignId);
  const known = isId('att', attemptId) ? await findAttempt(db, organizationId, campaignId, attemptId) : undefined;
  if (known === undefined) throw notFound('attempt');
  const value = body();
  if (value.project_id !== undefined && value.project_id !== projectId) throw forbidden();
  const after = await db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, organizationId, campaignId);
    if (locked === undefined) throw notFound('campaign');
    const { campaign, now } = locked;
    const open = await listOpenAttempts(tx, organizationId, campaignId);
    const attempt = open.find((each) => each.attemptId === attemptId);
    if (attempt?.status !== 'review' || attempt.call?.status !== 'needs_review' || attempt.callId === null) {
      throw conflict('the attempt does not wait for a review');
    }
    if (isOver(campaign) || isPastEnd(campaign, now)) throw conflict('the campaign has ended');
    const attempts = new AttemptUnitOfWork(campaign, now);
    const approved = value.decision === 'approve';
    if (approved) await refusePlacer(context.caller, (keyId) => isStarter(tx, organizationId, campaignId, keyId));
    if (approved) attempts.move(attempt, { status: 'approved', readyAt: now });
    else {
      await rejectCall(tx, organizationId, attempt.callId, context);
      attempts.settle(attempt, 'rejected');
    }
    await attempts.write(tx);
    const written = { ...attempts.campaign, progress: campaign.progress + 1, nextRunAt: now, updatedAt: now };
    await writeCampaign(tx, organizationId, written);
    const action = approved ? 'campaign_review.approved' : 'campaign_review.rejected';
    const act = { organizationId, action, subject: attemptId, detail: { campaign_id: campaignId } };
    await append(tx, [auditEvent(act, now, context)]);
    return findAttempt(tx, organizationId, campaignId, attemptId);
  });
  telephony.onCommit(false);
  return renderAttempt(after as Attempt);
}

async function rejectCall(
  tx: Queryable,
  organizationId: string,
  callId: string,
  context: OutgoingContext,
): Promise<void> {
  const locked = await lockCall(tx, organizationId, callId);
  if (locked?.call.status !== 'needs_review') throw conflict('the attempt does not wait for a review');
  await rejectReview(tx, locked.call, locked.now, context);
}

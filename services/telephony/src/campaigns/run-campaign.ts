import { type Logger, type Queryable, poller, type Background } from '@parley/runtime';
import { listOpenAttempts, type OpenAttempt } from './attempts.sql';
import { isSameCampaign, lockCampaign, writeCampaign, type LockedCampaign } from './campaigns.sql';
import { nextContactDue } from './contacts.sql';
import { lockDueCampaign, postponeCampaign, anyCampaignDue } from './due-campaigns.cross-tenant.sql';
import { isBroken } from './settle-attempt.rules';
import { nextOpening } from './calling-window.rules';
import { hasOpenAttempts, isOver, isPastEnd, type Campaign } from './campaign.rules';
import { moveCampaign, type CampaignStep } from './campaign-transitions.rules';
import { renderCampaign } from './render-campaign.rules';
import { appendCampaignEvent } from './campaign-events';
import { claim } from './claim-attempts';
import { isKept, storedTurn, KeptCampaigns } from './kept-campaigns';
import { AttemptUnitOfWork } from './attempt-unit-of-work';
import { placeAttempt, type Placed, type Placement } from './place-attempt';
import { reconcileOpenAttempts } from './reconcile-open-attempts';
import { withdrawCall, type Withdrawal } from './withdraw-call';
import type { Intake } from '../intake';
import type { Network } from '../network';
import type { Telephony } from '../telephony';
import { pausedScopes } from '../books';

type Needs = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'settings' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

/** Returns whether new calls may be placed at all: there is no maintenance, and the control state is known. */
export type MayPlace = () => Promise<boolean>;

/** Delay between two passes of a campaign with open calls. */
const turnMs = 200;
/** Delay after which an attempt that found no capacity is retried. */
const roomMs = 2_000;
const idleMs = 1_000;
const farMs = 60_000;
const failedSeconds = 10;

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Work to do after the pass's transaction. */
interface Pass {
  readonly campaign: Campaign;
  /** When the next pass is due; null: only after a change. */
  readonly turn: Date | null;
  readonly now: Date;
  readonly placements: readonly Placement[];
  readonly withdrawals: readonly Withdrawal[];
}

/** Locks the campaign of the next pass; undefined: none is due. */
type LockNext = (tx: Queryable) => Promise<LockedCampaign | undefined>;

/**
 * One pass of a campaign: attempts whose calls are over are settled, and new ones are placed if there is capacity. The lock on the
 * campaign's row is the lease: only one replica processes the campaign, and its decisions are committed before any call is placed. If a process dies while it
 * places an attempt, the next pass places the attempt again under the same idempotency key, so no contact is lost or called twice. False: no campaign is due.
 */
async function runNext(
  telephony: Needs,
  lockNext: LockNext,
  kept: KeptCampaigns,
  mayPlace: MayPlace,
  log: Logger,
): Promise<boolean> {
  const allowed = await mayPlace();
  let campaignId = '';
  const pass = await telephony.db
    .transaction(async (tx) => {
      const due = await lockNext(tx);
      campaignId = due?.campaign.campaignId ?? '';
      kept.forget(campaignId);
      return due && runPass(tx, due, allowed);
    })
    .catch(async (error: unknown) => {
      // A campaign whose pass fails must not delay the others.
      if (campaignId !== '') await postponeCampaign(telephony.db, campaignId, failedSeconds);
      throw error;
    });
  if (pass === undefined) return false;
  telephony.onCommit(false);
  kept.note(pass.campaign, pass.turn, pass.now);
  const results = await Promise.all(pass.placements.map((placement) => placeAttempt(telephony, placement, log)));
  const [first] = pass.placements;
  if (first !== undefined) await recordPlacements(telephony, first.campaign, pass.placements, results);
  for (const withdrawal of pass.withdrawals) await withdrawCall(telephony, withdrawal);
  return true;
}

async function runPass(tx: Queryable, { campaign: before, now }: LockedCampaign, allowed: boolean): Promise<Pass> {
  const { organizationId, campaignId } = before;
  const open = await listOpenAttempts(tx, organizationId, campaignId);
  const settled = await reconcileOpenAttempts(tx, before, open, now);
  const steps: CampaignStep[] = [];
  let campaign = settled.campaign;
  const move = (step: CampaignStep | undefined): void => {
    if (step === undefined) return;
    steps.push(step);
    campaign = step.campaign;
  };
  if (isBroken(campaign.lastAttempts, campaign.settings.pause_at_failure_percent)) {
    move(moveCampaign(campaign, 'pause', now, 'failure_rate'));
  }
  move(completion(campaign, now));
  const claimed = await claim(tx, campaign, settled.open, now, allowed);
  const turn = await nextTurn(tx, claimed.campaign, now);
  campaign = { ...claimed.campaign, nextRunAt: storedTurn(before.nextRunAt, turn, now) };
  await touch(tx, campaign, before, now);
  for (const step of steps) await appendCampaignEvent(tx, step, now);
  const withdrawals = withdrawalsOf(campaign, settled.open, now);
  return { campaign, turn, now, placements: claimed.placements, withdrawals };
}

/** The transition to `completed`, once every contact is done, or the end time has passed and the last call is over. */
function completion(campaign: Campaign, now: Date): CampaignStep | undefined {
  if (hasOpenAttempts(campaign)) return undefined;
  if (campaign.pending === 0 && campaign.contacts > 0) return moveCampaign(campaign, 'complete', now, 'all_contacts');
  return isPastEnd(campaign, now) ? moveCampaign(campaign, 'complete', now, 'ends_at') : undefined;
}

/** When the runner processes the campaign again; null: only after a change. */
async function nextTurn(tx: Queryable, campaign: Campaign, now: Date): Promise<Date | null> {
  const idle = campaign.live + campaign.inReview === 0;
  if (campaign.status === 'paused' && idle && !isPastEnd(campaign, now)) return campaign.endsAt;
  if (hasOpenAttempts(campaign)) return later(now, campaign.live > 0 || isOver(campaign) ? turnMs : idleMs);
  if (isOver(campaign)) return null;
  const { endsAt, settings } = campaign;
  if (campaign.status !== 'running') return endsAt;
  const due = await nextContactDue(tx, campaign.organizationId, campaign.campaignId);
  const opens = settings.window === null ? now : nextOpening(settings.window, now);
  const wanted = Math.max(due?.getTime() ?? 0, opens.getTime(), now.getTime() + idleMs);
  const soonest = Math.min(wanted, endsAt?.getTime() ?? Infinity, now.getTime() + farMs);
  return new Date(soonest);
}

/** Placed calls of an ended or paused campaign, which must no longer be dialed. */
function withdrawalsOf(campaign: Campaign, open: readonly OpenAttempt[], now: Date): Withdrawal[] {
  const { organizationId } = campaign;
  const ending = isOver(campaign) || isPastEnd(campaign, now);
  if (!ending && campaign.status !== 'paused') return [];
  return open.flatMap(({ attemptId, callId, status, call }) => {
    if (callId === null || status === 'placing') return [];
    const waits = call?.status === 'queued' || (ending && call?.status === 'needs_review');
    return waits ? [{ organizationId, attemptId, callId }] : [];
  });
}

/** Updates a campaign, unless it is the same; it counts as changed only if a field that reads return differs. */
async function touch(tx: Queryable, campaign: Campaign, before: Campaign, now: Date): Promise<void> {
  if (isSameCampaign(campaign, before)) return;
  const shown = renderCampaign(campaign) !== renderCampaign(before);
  const changed = shown ? { ...campaign, progress: campaign.progress + 1, updatedAt: now } : campaign;
  await writeCampaign(tx, campaign.organizationId, changed);
}

/** Records the outcomes of placements. If the campaign was changed concurrently, the next pass handles it. */
async function recordPlacements(
  telephony: Needs,
  { organizationId, campaignId }: Campaign,
  placements: readonly Placement[],
  results: readonly Placed[],
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, organizationId, campaignId);
    if (locked === undefined) return;
    const { now } = locked;
    const open = new Map(
      (await listOpenAttempts(tx, organizationId, campaignId)).map((attempt) => [attempt.attemptId, attempt]),
    );
    const attempts = new AttemptUnitOfWork(locked.campaign, now);
    placements.forEach(({ attempt: { attemptId } }, place) => {
      const attempt = open.get(attemptId);
      const result = results[place];
      if (attempt?.status === 'placing' && result !== undefined) record(attempts, attempt, result);
    });
    await attempts.write(tx);
    await touch(tx, attempts.campaign, locked.campaign, now);
  });
  telephony.onCommit(false);
}

function record(attempts: AttemptUnitOfWork, attempt: OpenAttempt, result: Placed): void {
  const waits = attempt.callId === null ? 'waiting' : 'approved';
  const readyAt = later(attempts.now, roomMs);
  switch (result.kind) {
    case 'placed':
      attempts.move(attempt, { status: result.held ? 'review' : 'placed', callId: result.callId, waitsFor: null });
      return;
    case 'refused':
      attempts.move(attempt, { status: waits, readyAt, waitsFor: result.reason });
      return;
    case 'impossible':
      attempts.settle(attempt, result.outcome);
      return;
    case 'stopped':
      attempts.move(attempt, { status: waits, readyAt, waitsFor: result.reason });
      attempts.moveCampaign(moveCampaign(attempts.campaign, 'pause', attempts.now, result.reason));
  }
}

/** Maximum of passes per run, so that the process can stop soon. */
const batch = 200;
/** How often due campaigns are searched for, and how often after a time without any, which is the usual state of an installation. */
const search = { everyMs: 100, restingMs: 500, restsAfterMs: 5_000 } as const;

/** Runs passes of campaigns when they are due. Every replica has a runner; row locks distribute the campaigns. */
export function createCampaignRunner(telephony: Needs, log: Logger): Background {
  const kept = new KeptCampaigns(() => performance.now());
  const mayPlace = async (): Promise<boolean> => (await pausedScopes(telephony.controls)) !== undefined;
  let foundAt = -Infinity;
  let searchedAt = -Infinity;
  const runKept = (): Promise<boolean> | false => {
    const due = kept.due();
    if (due === undefined) return false;
    const lock: LockNext = async (tx) => {
      const locked = await lockCampaign(tx, due.organizationId, due.campaignId, true);
      if (locked !== undefined && isKept(due, locked.campaign, locked.now)) return locked;
      kept.forget(due.campaignId);
      return undefined;
    };
    return runNext(telephony, lock, kept, mayPlace, log);
  };
  const runDue = async (): Promise<boolean> =>
    (await anyCampaignDue(telephony.db)) && (await runNext(telephony, lockDueCampaign, kept, mayPlace, log));
  const run = async (signal: AbortSignal): Promise<void> => {
    const now = performance.now();
    if (now - foundAt > search.restsAfterMs && now - searchedAt < search.restingMs) return;
    searchedAt = now;
    for (let count = 0; count < batch && !signal.aborted; count += 1) {
      // Both in turns, so that neither delays the other.
      const [ran, found] = [await runKept(), await runDue()];
      if (!ran && !found) return;
      foundAt = performance.now();
    }
  };
  return poller({ name: 'campaign-runner', everyMs: search.everyMs, run, log });
}

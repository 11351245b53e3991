import { newId, type Queryable } from '@parley/runtime';
import { insertAttempts, writeAttempts, type OpenAttempt } from './attempts.sql';
import { claimContacts } from './contacts.sql';
import { isOpen } from './calling-window.rules';
import { isPastEnd, type Attempt, type Campaign } from './campaign.rules';
import { allowance } from './pacer.rules';
import type { Contact } from './render-campaign.rules';
import { moveAttempt } from './settle-attempt.rules';
import { noteRecent } from '../books';
import type { Placement } from './place-attempt';
import { isStale } from './reconcile-open-attempts';

/** Maximum of attempts started per pass, which limits the duration of a pass. */
const mostAtOnce = 200;

interface Claimed {
  readonly campaign: Campaign;
  readonly placements: readonly Placement[];
}

/**
 * Claims the attempts to place now, in this order: those left by a crashed process, those that waited for capacity or a line, then new attempts for contacts
 * that are due. No new attempt starts while an attempt waits for capacity.
 */
export async function claim(
  tx: Queryable,
  campaign: Campaign,
  open: readonly OpenAttempt[],
  now: Date,
  allowed: boolean,
): Promise<Claimed> {
  if (campaign.status !== 'running' || isPastEnd(campaign, now)) return { campaign, placements: [] };
  const { window } = campaign.settings;
  if (window !== null && !isOpen(window, now)) return { campaign: { ...campaign, waitsFor: 'window' }, placements: [] };
  if (!allowed) return { campaign: { ...campaign, waitsFor: 'maintenance' }, placements: [] };
  const lost = open.filter((attempt) => isStale(attempt, now));
  const { calls, heldBy } = allowance(paceOf(campaign), now);
  const room = Math.min(calls, mostAtOnce);
  const waiting = open.filter(({ status }) => status === 'waiting' || status === 'approved');
  const ready = waiting.filter(({ readyAt }) => readyAt <= now).slice(0, room);
  const refused = waiting.find(({ status }) => status === 'waiting');
  const fresh = refused === undefined ? await begin(tx, campaign, now, room - ready.length) : [];
  let after = campaign;
  const again = [...lost, ...ready].map((attempt) => {
    const moved = moveAttempt(after, attempt, { status: 'placing', readyAt: now });
    after = moved.campaign;
    return { attempt: moved.attempt, contact: attempt.contact };
  });
  await writeAttempts(
    tx,
    campaign.organizationId,
    again.map(({ attempt }) => attempt),
  );
  after = {
    ...after,
    pending: after.pending - fresh.length,
    live: after.live + fresh.length,
    attempts: after.attempts + fresh.length,
    recent: noteRecent(after.recent, now, fresh.length + ready.length),
    waitsFor: heldBy ?? refused?.waitsFor ?? null,
  };
  return { campaign: after, placements: [...again, ...fresh].map((each) => ({ campaign: after, ...each })) };
}

const paceOf = ({ live, inReview, recent, settings }: Campaign) => ({
  live,
  inReview,
  recent,
  maxConcurrent: settings.max_concurrent,
  callsPerMinute: settings.calls_per_minute,
});

/** Starts attempts for contacts that are due. */
async function begin(
  tx: Queryable,
  { organizationId, campaignId }: Campaign,
  now: Date,
  room: number,
): Promise<Omit<Placement, 'campaign'>[]> {
  if (room <= 0) return [];
  const contacts = await claimContacts(tx, organizationId, campaignId, now, room);
  const begun = contacts.map((contact) => ({ attempt: newAttempt(campaignId, contact, now), contact }));
  await insertAttempts(
    tx,
    organizationId,
    campaignId,
    begun.map(({ attempt }) => attempt),
    now,
  );
  return begun;
}

const newAttempt = (campaignId: string, { contactId }: Contact, now: Date): Attempt => ({
  attemptId: newId('att'),
  campaignId,
  contactId,
  status: 'placing',
  readyAt: now,
  waitsFor: null,
  callId: null,
  outcome: null,
  withdrawn: false,
  createdAt: now,
  completedAt: null,
});

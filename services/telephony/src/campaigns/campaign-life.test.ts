import { campaignStatuses, type CampaignRetry, type ContactOutcome } from '@parley/contract';
import fc from 'fast-check';
import { attemptAs, campaignAs } from '../../test/campaign-as';
import type { CallStatus } from '../books/calls/call.rules';
import { outcomeOf, retryAt } from './attempt-outcome.rules';
import { moveAttempt, settleAttempt, isBroken, noteAttempt } from './settle-attempt.rules';
import type { Attempt, Campaign } from './campaign.rules';
import { campaignTransitions, moveCampaign, type CampaignTrigger } from './campaign-transitions.rules';
import { campaignEtag, matchesCampaign } from './render-campaign.rules';

const now = new Date('2026-03-02T12:00:00.000Z');
const triggers: readonly CampaignTrigger[] = ['launch', 'pause', 'resume', 'cancel', 'complete'];

describe('the transition table of campaigns', () => {
  it('contains exactly these transitions', () => {
    const moves = campaignStatuses.flatMap((status) =>
      triggers.flatMap((trigger) => {
        const step = moveCampaign(campaignAs({ status }), trigger, now);
        return step === undefined ? [] : [`${status} ${trigger} ${step.campaign.status} ${step.event ?? '-'}`];
      }),
    );
    expect(moves.sort()).toEqual(
      [
        'draft launch running campaign.launched',
        'draft cancel canceled -',
        'running pause paused -',
        'running complete completed campaign.completed',
        'running cancel canceled -',
        'paused resume running -',
        'paused complete completed campaign.completed',
        'paused cancel canceled -',
      ].sort(),
    );
    expect(moves).toHaveLength(campaignTransitions.length);
  });

  it('each transition increments revision; one with an event also increments resource_seq', () => {
    const before = campaignAs({ status: 'draft', resourceSeq: 0, revision: 4 });
    const launched = moveCampaign(before, 'launch', now)?.campaign as Campaign;
    expect(launched).toMatchObject({ resourceSeq: 1, revision: 5, launchedAt: now, nextRunAt: now });
    const paused = moveCampaign(launched, 'pause', now, 'failure_rate')?.campaign as Campaign;
    expect(paused).toMatchObject({ resourceSeq: 1, revision: 6, pausedReason: 'failure_rate', pausedAt: now });
    expect(moveCampaign({ ...paused, lastAttempts: 'ff' }, 'resume', now)?.campaign).toMatchObject({
      pausedReason: null,
      lastAttempts: '',
    });
  });

  it('the ETag changes with revision, not with statistics', () => {
    const campaign = campaignAs({ revision: 3, progress: 7 });
    const tag = campaignEtag(campaign);
    expect(matchesCampaign(tag, { ...campaign, progress: 9 })).toBe(true);
    expect(matchesCampaign(`"x", ${tag}`, campaign)).toBe(true);
    expect(matchesCampaign(tag, { ...campaign, revision: 4 })).toBe(false);
    expect(matchesCampaign('"cmp_1.3.x"', campaign)).toBe(false);
    expect(matchesCampaign('*', campaign)).toBe(true);
  });
});

describe('a campaign attempt', () => {
  it.each<[CallStatus, string | null, string | null, ContactOutcome | undefined]>([
    ['completed', 'caller_hung_up', 'human', 'answered'],
    ['completed', 'caller_hung_up', 'voicemail', 'voicemail'],
    ['completed', 'no_human_after_answer', null, 'no_human'],
    ['completed', 'no_caller_speech_after_answer', 'music', 'no_human'],
    ['failed', 'busy', null, 'busy'],
    ['failed', 'no_answer', null, 'no_answer'],
    ['failed', 'suppressed', null, 'suppressed'],
    ['failed', 'carrier_failure', null, 'failed'],
    ['failed', 'worker_lost', null, 'failed'],
    ['canceled', 'canceled', null, 'canceled'],
    ['policy_blocked', null, null, 'policy_blocked'],
    ['queued', null, null, undefined],
    ['dialing', null, null, undefined],
    ['answered', null, null, undefined],
    ['ended', 'caller_hung_up', 'human', undefined],
    ['needs_review', null, null, undefined],
  ])(
    'of a call with status %s, ended_reason %s, classification %s has outcome %s',
    (status, endedReason, classification, outcome) => {
      expect(outcomeOf({ status, endedReason, classification })).toBe(outcome);
    },
  );

  const retry: CampaignRetry = { attempts: 2, delay_minutes: 30, on: ['busy'] };
  it.each<[CampaignRetry | null, ContactOutcome, number, boolean]>([
    [retry, 'busy', 1, true],
    [retry, 'busy', 2, false],
    [retry, 'no_answer', 1, false],
    [retry, 'answered', 1, false],
    [retry, 'canceled', 1, false],
    [null, 'busy', 1, false],
  ])('with retry rule %j, outcome %s of attempt %i is retried: %s', (rule, outcome, attempts, again) => {
    expect(retryAt(rule, outcome, attempts, now)).toEqual(again ? new Date(now.getTime() + 1_800_000) : undefined);
  });

  it('that was withdrawn is not counted in a paused campaign, and has outcome canceled in a canceled campaign', () => {
    const taken = attemptAs({ withdrawn: true });
    const goesOn = settleAttempt(campaignAs({ status: 'paused' }), taken, 1, 'canceled', now);
    expect(goesOn).toMatchObject({ nextAttemptAt: now, uncounted: true });
    expect(goesOn.campaign).toMatchObject({ pending: 1, live: 0, attempts: 0, completed: 0, lastAttempts: '' });
    const over = settleAttempt(campaignAs({ status: 'canceled' }), taken, 1, 'canceled', now);
    expect(over.nextAttemptAt).toBeNull();
    expect(over.campaign).toMatchObject({ pending: 0, live: 0, completed: 1, outcomes: { canceled: 1 } });
  });

  it('is not retried after the end of the campaign', () => {
    const settings = { ...campaignAs().settings, retry };
    const ended = campaignAs({ settings, endsAt: now });
    expect(settleAttempt(ended, attemptAs(), 1, 'busy', now).nextAttemptAt).toBeNull();
    const later = campaignAs({ settings, endsAt: new Date(now.getTime() + 1) });
    expect(settleAttempt(later, attemptAs(), 1, 'busy', now).nextAttemptAt).not.toBeNull();
  });

  it('property: the counters of contacts always sum up to the number of contacts', () => {
    const open = ['placing', 'waiting', 'placed', 'review', 'approved'] as const;
    const acts = fc.array(
      fc.oneof(
        fc.record({ to: fc.constantFrom(...open) }),
        fc.record({ outcome: fc.constantFrom<ContactOutcome>('answered', 'busy', 'failed', 'canceled', 'suppressed') }),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(acts, fc.boolean(), (steps, withdrawn) => {
        let campaign = campaignAs({
          settings: { ...campaignAs().settings, retry: { ...retry, on: ['busy', 'failed'] } },
        });
        let attempt: Attempt = attemptAs({ withdrawn });
        for (const step of steps) {
          if (attempt.status === 'over') break;
          const moved =
            'to' in step
              ? moveAttempt(campaign, attempt, { status: step.to })
              : settleAttempt(campaign, attempt, 1, step.outcome, now);
          ({ campaign, attempt } = moved);
        }
        const { pending, live, waiting, inReview, completed, contacts } = campaign;
        expect(pending + live + waiting + inReview + completed).toBe(contacts);
        expect(Math.min(pending, live, waiting, inReview, completed)).toBeGreaterThanOrEqual(0);
        const outcomes = Object.values(campaign.outcomes).reduce((sum, count) => sum + count, 0);
        expect(outcomes).toBe(completed);
      }),
    );
  });
});

describe('pausing by failure rate', () => {
  const after = (failed: number, others: number): string =>
    [...Array<ContactOutcome>(others).fill('busy'), ...Array<ContactOutcome>(failed).fill('failed')].reduce(
      noteAttempt,
      '',
    );

  it.each<[number, number, number | null, boolean]>([
    [49, 0, 1, false],
    [50, 0, 100, true],
    [39, 11, 80, false],
    [40, 10, 80, true],
    [50, 0, null, false],
    [1, 49, 3, false],
    [1, 49, 2, true],
  ])('%i failed attempts after %i others, limit %s percent: pauses %s', (failed, others, percent, broken) => {
    expect(isBroken(after(failed, others), percent)).toBe(broken);
  });

  it('uses only the last 50 attempts', () => {
    const recovered = Array<ContactOutcome>(50).fill('answered').reduce(noteAttempt, after(50, 0));
    expect(isBroken(recovered, 1)).toBe(false);
    expect(recovered).toHaveLength(50);
  });
});

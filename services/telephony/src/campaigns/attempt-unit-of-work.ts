import type { ContactOutcome } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { writeAttempts, type OpenAttempt } from './attempts.sql';
import { writeContacts, type ContactChange } from './contacts.sql';
import type { Attempt, Campaign } from './campaign.rules';
import { moveAttempt, settleAttempt } from './settle-attempt.rules';
import { appendCampaignEvent, tellContacts } from './campaign-events';
import type { CampaignStep } from './campaign-transitions.rules';

/**
 * Collects the changes to attempts of one locked campaign in a transaction. The campaign's counters are updated immediately; the rows are written together by
 * `write`.
 */
export class AttemptUnitOfWork {
  private readonly attempts: Attempt[] = [];
  private readonly contacts: ContactChange[] = [];
  private readonly steps: CampaignStep[] = [];

  constructor(
    public campaign: Campaign,
    readonly now: Date,
  ) {}

  /** Moves the campaign itself; undefined changes nothing. */
  moveCampaign(step: CampaignStep | undefined): void {
    if (step === undefined) return;
    this.campaign = step.campaign;
    this.steps.push(step);
  }

  /** Gives an open attempt another status and returns the updated attempt. */
  move<Known extends Attempt>(attempt: Known, change: Parameters<typeof moveAttempt>[2]): Known {
    const moved = moveAttempt(this.campaign, attempt, change);
    this.campaign = moved.campaign;
    this.attempts.push(moved.attempt);
    return { ...attempt, ...moved.attempt };
  }

  /** Ends an attempt. */
  settle(attempt: OpenAttempt, outcome: ContactOutcome): void {
    const settled = settleAttempt(this.campaign, attempt, attempt.contact.attempts, outcome, this.now);
    this.campaign = settled.campaign;
    this.attempts.push(settled.attempt);
    this.contacts.push({
      contactId: attempt.contactId,
      nextAttemptAt: settled.nextAttemptAt,
      outcome,
      callId: attempt.callId,
      uncounted: settled.uncounted,
    });
  }

  /** Writes attempts and contacts, and appends the events of the finished ones and of the campaign; the caller writes the campaign itself. */
  async write(tx: Queryable): Promise<void> {
    const { organizationId } = this.campaign;
    await writeAttempts(
      tx,
      organizationId,
      this.attempts.map((attempt) => ({ ...attempt })),
    );
    const after = await writeContacts(tx, organizationId, this.contacts, this.now);
    const through = after.filter(({ status }) => status === 'completed');
    await tellContacts(tx, this.campaign, through, this.now);
    for (const step of this.steps) await appendCampaignEvent(tx, step, this.now);
  }
}

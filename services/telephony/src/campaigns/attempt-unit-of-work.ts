import type { ContactOutcome } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { writeAttempts, type OpenAttempt } from './attempts.sql';
import { writeContacts, type ContactChange } from './contacts.sql';
import type { Attempt, Campaign } from './campaign.rules';
import { moveAttempt, settleAttempt } from './settle-attempt.rules';
import { tellContacts } from './campaign-events';

/** What happens to the attempts of one locked campaign in one transaction: counted as it comes, written at once. */
export class AttemptUnitOfWork {
  private readonly attempts: Attempt[] = [];
  private readonly contacts: ContactChange[] = [];

  constructor(
    public campaign: Campaign,
    readonly now: Date,
  ) {}

  /** Gives an open attempt another status. Returns it as it is then. */
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

  /** Writes attempts and contacts, and reports those that are finished; the campaign itself is the caller's. */
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
  }
}

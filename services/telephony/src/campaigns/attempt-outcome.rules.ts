import { retryOutcomes, type CampaignRetry, type ContactOutcome, type RetryOutcome } from '@parley/contract';
import type { CallStatus } from '../books/calls/call.rules';

/** The fields of a call that determine an attempt's outcome. */
export interface AttemptCall {
  readonly status: CallStatus;
  readonly endedReason: string | null;
  readonly classification: string | null;
}

/** Failure reasons whose outcome has the same name. */
const failures = ['busy', 'no_answer', 'suppressed'] as const satisfies readonly ContactOutcome[];

/** The outcome of an attempt; undefined while its call is not over. */
export function outcomeOf({ status, endedReason, classification }: AttemptCall): ContactOutcome | undefined {
  switch (status) {
    case 'completed':
      return answeredAs(endedReason, classification);
    case 'failed':
      return failures.find((outcome) => outcome === endedReason) ?? 'failed';
    case 'canceled':
      return 'canceled';
    case 'policy_blocked':
      return 'policy_blocked';
    case 'scheduled':
    case 'queued':
    case 'dialing':
    case 'answered':
    case 'ended':
    case 'needs_review':
      return undefined;
  }
}

function answeredAs(endedReason: string | null, classification: string | null): ContactOutcome {
  if (classification === 'voicemail') return 'voicemail';
  if (classification === 'music' || endedReason === 'no_human_after_answer') return 'no_human';
  return 'answered';
}

const isRetryOutcome = (outcome: ContactOutcome): outcome is RetryOutcome =>
  (retryOutcomes as readonly string[]).includes(outcome);

/**
 * When a contact is called again after an outcome; undefined: never.
 * @param attempts calls placed to the contact, including this one
 */
export function retryAt(
  retry: CampaignRetry | null,
  outcome: ContactOutcome,
  attempts: number,
  now: Date,
): Date | undefined {
  if (retry === null || !isRetryOutcome(outcome) || !retry.on.includes(outcome)) return undefined;
  if (attempts >= retry.attempts) return undefined;
  return new Date(now.getTime() + retry.delay_minutes * 60_000);
}

import { CallCreate, type ReviewResolve } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { CreatingRequest } from '@parley/service';
import { newTraceparent, serviceCaller, type Logger, type OutgoingContext } from '@parley/runtime';
import { createHash, randomUUID } from 'node:crypto';
import type { AttemptContact } from './attempts.sql';
import { holderOfNumber, type Network } from '../network';
import type { Attempt, Campaign, PausedReason } from './campaign.rules';
import { admitCall, resolveReview, type CallToPlace, type Intake } from '../intake';
import { WorkersAway } from '../dispatch';
import type { Telephony } from '../telephony';

type Needs = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'settings' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

/** An attempt that this process has claimed in order to place it. */
export interface Placement {
  readonly campaign: Campaign;
  readonly attempt: Attempt;
  readonly contact: AttemptContact;
}

export type Placed =
  | { readonly kind: 'placed'; readonly callId: string; readonly held: boolean }
  /** Admission has no capacity at the moment. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** This contact cannot be called at all. */
  | { readonly kind: 'impossible'; readonly outcome: 'suppressed' | 'invalid' }
  /** No contact of this campaign can be called. */
  | { readonly kind: 'stopped'; readonly reason: PausedReason };

/** Campaign calls are admitted on the same route as single calls, so both share one set of idempotency keys. */
export const admissionRoute = 'create-call';

/** A line break cannot occur in an Idempotency-Key header, so a client's key never equals an attempt's key. */
export const keyOf = ({ attemptId }: Attempt): string => `campaign\n${attemptId}`;

/** Must be shorter than `staleAfterMs`, after which an attempt is considered abandoned. */
const deadlineMs = 10_000;

/**
 * Places an attempt through the same admission as POST /v1/calls. The attempt's own idempotency key ensures that its contact gets only one call, no matter how
 * often and by which replica it is placed. Never rejects.
 */
export async function placeAttempt(telephony: Needs, placement: Placement, log: Logger): Promise<Placed> {
  const context: OutgoingContext = {
    caller: serviceCaller,
    requestId: randomUUID(),
    traceparent: newTraceparent(),
    signal: AbortSignal.timeout(deadlineMs),
  };
  try {
    const { callId } = placement.attempt;
    return callId === null
      ? await admit(telephony, placement, context)
      : await approve(telephony, placement, callId, context);
  } catch (error) {
    if (await isWithoutNumber(telephony, placement, error)) return { kind: 'stopped', reason: 'number_released' };
    return whyNot(error, log);
  }
}

/** Whether the campaign's number was released. This stops the campaign, because otherwise each of its contacts would be recorded as invalid. */
async function isWithoutNumber(
  { db }: Pick<Telephony, 'db'>,
  { campaign: { organizationId, from } }: Placement,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof AppError) || error.code !== 'BadRequestError') return false;
  // If this cannot be determined, the number counts as present, and the original error is handled.
  return (await holderOfNumber(db, from, [organizationId]).catch(() => null)) === undefined;
}

async function admit(telephony: Needs, placement: Placement, context: OutgoingContext): Promise<Placed> {
  const { campaign, attempt } = placement;
  const key = keyOf(attempt);
  const fingerprint = createHash('sha256').update(key).digest();
  const body = bodyOf(placement);
  const request = (organizationId: string): CreatingRequest => ({
    organizationId,
    route: admissionRoute,
    key,
    fingerprint,
  });
  const input = { organizationId: campaign.organizationId, request, placedBy: campaign.campaignId };
  const admitted = await admitCall(telephony, input, body, context);
  if ('refusal' in admitted) {
    const { reason } = admitted.refusal;
    return reason === 'suppressed' ? { kind: 'impossible', outcome: reason } : { kind: 'refused', reason };
  }
  const { call_id: callId, status } = JSON.parse(admitted.body) as { call_id: string; status: string };
  return { kind: 'placed', callId, held: status === 'needs_review' };
}

/** Approves a call in review: a person approved the attempt, and there is capacity for it. */
async function approve(
  telephony: Needs,
  { campaign, attempt }: Placement,
  callId: string,
  context: OutgoingContext,
): Promise<Placed> {
  const body = (): ReviewResolve => ({ decision: 'approve' });
  try {
    await resolveReview(telephony, campaign.organizationId, callId, body, context);
  } catch (error) {
    // The review is already resolved, by this attempt before a crash or through the route of the call. The call's record contains the outcome.
    if (!(error instanceof AppError) || error.code !== 'ConflictError') throw reviewRefusal(error, attempt);
  }
  return { kind: 'placed', callId, held: false };
}

/** There is no capacity for an approved call: it keeps waiting, whatever the reason. */
class NoRoom extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

function reviewRefusal(error: unknown, attempt: Attempt): unknown {
  if (!(error instanceof AppError)) return error;
  switch (error.code) {
    case 'InsufficientBalanceError':
      return new NoRoom('balance');
    case 'outbound_call_queue_full':
      return new NoRoom('queue_full');
    case 'SuspensionError':
      return new NoRoom('controls');
    default:
      return new Error(`the review of attempt ${attempt.attemptId} cannot be resolved`, { cause: error });
  }
}

function whyNot(error: unknown, log: Logger): Placed {
  if (error instanceof WorkersAway) return { kind: 'refused', reason: 'workers' };
  if (error instanceof NoRoom) return { kind: 'refused', reason: error.reason };
  if (error instanceof AppError) {
    switch (error.code) {
      case 'ConflictError':
        return { kind: 'stopped', reason: 'agent_inactive' };
      case 'NotFoundError':
        return { kind: 'stopped', reason: 'agent_not_found' };
      case 'SuspensionError':
        return { kind: 'refused', reason: 'suspended' };
      case 'realtime_config_not_runnable':
        return { kind: 'stopped', reason: 'not_runnable' };
      case 'BadRequestError':
        return { kind: 'impossible', outcome: 'invalid' };
      default:
        break;
    }
  }
  log.warn({ err: error }, 'a call of a campaign cannot be placed now');
  return { kind: 'refused', reason: 'unavailable' };
}

/** The request for an attempt's call. Its priority is lower than that of the organization's other calls. */
function bodyOf({ campaign, attempt, contact }: Placement): CallToPlace {
  const { campaignId: campaign_id } = campaign;
  return Object.assign(new CallCreate(), {
    agent_id: campaign.agentId,
    to: contact.to,
    from: campaign.from,
    variables: JSON.parse(contact.variables) as Record<string, unknown>,
    metadata: {
      ...(JSON.parse(contact.metadata) as Record<string, unknown>),
      campaign_id,
      contact_id: attempt.contactId,
      attempt_id: attempt.attemptId,
    },
    consent: contact.consent,
    ...(contact.timeZone !== null && { timeZone: contact.timeZone }),
    priority: 'low' as const,
  });
}

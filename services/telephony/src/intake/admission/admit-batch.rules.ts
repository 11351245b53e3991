import type { CapsRule } from '@parley/contract';
import type { CallStatus, PolicyDecision } from '../../books/calls/call.rules';
import type { OrganizationState, StateChange } from '../../books/organizations/organization-state.rules';
import { checkByCaps } from './policy-caps.rules';
import { countRecent, noteRecent } from '../../books/organizations/velocity.rules';

/** A call to be admitted. Its agent and number are already resolved. */
export interface AdmissionRequest {
  readonly suppressed: boolean;
  /** Maximum cost of the call: its maximum duration at the agent's price. */
  readonly holdMicros: number;
  readonly policy: PolicyDecision;
  /** The caps of the organization's policy; absent for a call that a reviewer approved, and for an incoming one. */
  readonly caps?: CapsRule | undefined;
  /** An incoming call: it is live, costs money and is charged like any other. Suppression, velocity, policy and the queue concern only outbound calls. */
  readonly incoming?: boolean;
  /** Scheduled for later: admitted without evaluating its policy and without reserving anything. */
  readonly later?: boolean;
  /** For an incoming call: the organization started it itself, as a test call, so it counts toward velocity. */
  readonly started?: boolean;
}

export type AdmissionRefusal =
  | { readonly reason: 'suppressed' | 'daily_spend' | 'calls_per_minute' | 'calls_per_hour' | 'live_calls' | 'balance' }
  /** `place`: the position of the request among those of this batch that found the queue full. */
  | { readonly reason: 'queue_full'; readonly place: number }
  /** Too many calls are scheduled; when the number will fall cannot be estimated. */
  | { readonly reason: 'scheduled_full' };

export type AdmissionDecision =
  | {
      readonly admitted: true;
      readonly status: CallStatus;
      readonly holdMicros: number | null;
      /** Includes the decision of the caps. */
      readonly policy: PolicyDecision;
      /** Refused only by a cap of the policy: the call would be placed if there were more capacity. */
      readonly capped: boolean;
    }
  | { readonly admitted: false; readonly refusal: AdmissionRefusal };

export interface BatchDecisions {
  /** One per request, in request order. */
  readonly decisions: readonly AdmissionDecision[];
  readonly change: StateChange;
}

const statusOf = { allowed: 'queued', blocked: 'policy_blocked', review: 'needs_review' } as const;

/** The running totals of a batch. */
interface Totals {
  queued: number;
  live: number;
  reserved: number;
  spend: number;
  admissions: number;
  queueFull: number;
  scheduled: number;
}

/** Current number and limit of an organization's scheduled calls. */
export interface ScheduledCalls {
  readonly scheduled: number;
  readonly cap: number;
}

/**
 * Decides the requests of one organization in order, each on the state that the previous ones leave. The order of refusals is part of the interface
 * (docs/reference/calls.md): controls (suppression, spend, velocity, live calls), wallet, policy, queue. A call that policy refuses or holds for a review is
 * admitted without using capacity. Pure.
 * @param now the database's clock
 * @param defaultQueueCap applies if the organization has no queue cap
 * @param scheduledCalls required if one of the requests is scheduled for later
 */
export function admitBatch(
  state: OrganizationState,
  requests: readonly AdmissionRequest[],
  now: Date,
  defaultQueueCap: number,
  scheduledCalls: ScheduledCalls = { scheduled: 0, cap: 0 },
): BatchDecisions {
  const today = now.toISOString().slice(0, 10);
  const spendDay = state.spendDay > today ? state.spendDay : today;
  const totals: Totals = { queued: 0, live: 0, reserved: 0, spend: 0, admissions: 0, queueFull: 0, scheduled: 0 };
  const recent = countRecent(state.recent, now);
  const spent = state.spendDay === spendDay ? state.spendMicros : 0;
  const refused = refuser(state, recent, spent, defaultQueueCap);
  const decisions = requests.map((request): AdmissionDecision => {
    const { holdMicros } = request;
    if (request.later === true) {
      if (scheduledCalls.scheduled + totals.scheduled >= scheduledCalls.cap)
        return { admitted: false, refusal: { reason: 'scheduled_full' } };
      totals.scheduled += 1;
      return { admitted: true, status: 'scheduled', holdMicros: null, policy: request.policy, capped: false };
    }
    const { policy, held: capped } = checkByCaps(request.policy, request.caps, {
      liveCalls: state.live + totals.live + 1,
      lastMinute: recent.lastMinute + totals.admissions + 1,
      lastHour: recent.lastHour + totals.admissions + 1,
      spendMicros: spent + totals.spend + holdMicros,
    });
    const refusal = refused({ ...request, policy }, totals);
    if (refusal !== undefined) return { admitted: false, refusal };
    const status = request.incoming === true ? 'dialing' : statusOf[policy.verdict];
    if (status === 'policy_blocked' || status === 'needs_review') {
      return { admitted: true, status, holdMicros: null, policy, capped };
    }
    if (status === 'queued') totals.queued += 1;
    if (status === 'queued' || request.started === true) totals.admissions += 1;
    totals.live += 1;
    totals.spend += holdMicros;
    if (state.billing === 'prepaid') totals.reserved += holdMicros;
    return { admitted: true, status, holdMicros, policy, capped };
  });
  return {
    decisions,
    change: {
      queued: totals.queued,
      live: totals.live,
      reservedMicros: totals.reserved,
      spendMicros: totals.spend,
      spendDay,
      recent: noteRecent(state.recent, now, totals.admissions),
    },
  };
}

type Refuser = (request: AdmissionRequest, totals: Totals) => AdmissionRefusal | undefined;

const over = (value: number, cap: number | null): boolean => cap !== null && value > cap;

function refuser(
  state: OrganizationState,
  recent: { readonly lastMinute: number; readonly lastHour: number },
  spent: number,
  defaultQueueCap: number,
): Refuser {
  const { limits } = state;
  const available = state.balanceMicros - state.reservedMicros;
  return ({ suppressed, holdMicros, policy, incoming = false, started = !incoming }, totals) => {
    if (suppressed && !incoming) return { reason: 'suppressed' };
    if (over(spent + totals.spend + holdMicros, limits.dailySpendCapMicros)) return { reason: 'daily_spend' };
    if (started) {
      if (over(recent.lastMinute + totals.admissions + 1, limits.callsPerMinute)) return { reason: 'calls_per_minute' };
      if (over(recent.lastHour + totals.admissions + 1, limits.callsPerHour)) return { reason: 'calls_per_hour' };
    }
    if (over(state.live + totals.live + 1, limits.liveCallsCap)) return { reason: 'live_calls' };
    if (state.billing === 'prepaid' && totals.reserved + holdMicros > available) return { reason: 'balance' };
    if (policy.verdict !== 'allowed' || incoming) return undefined;
    if (over(state.queued + totals.queued + 1, limits.queueCap ?? defaultQueueCap)) {
      return { reason: 'queue_full', place: (totals.queueFull += 1) };
    }
    return undefined;
  };
}

/** The state after a batch. */
export function stateAfter(state: OrganizationState, change: StateChange): OrganizationState {
  const { spendDay, recent } = change;
  return {
    ...state,
    revision: state.revision + 1,
    queued: state.queued + change.queued,
    live: state.live + change.live,
    reservedMicros: state.reservedMicros + change.reservedMicros,
    spendDay,
    spendMicros: (state.spendDay === spendDay ? state.spendMicros : 0) + change.spendMicros,
    recent,
  };
}

/** Bounds of Retry-After, in seconds. */
const retryBounds = { least: 1, most: 3600 } as const;

/**
 * Retry-After for the n-th (from 1) request that found the queue full, estimated from the rate at which the queue drained recently; `unknownSeconds` if it did
 * not drain.
 */
export function retryAfterSeconds(place: number, drainPerSecond: number, unknownSeconds: number): number {
  const seconds = drainPerSecond > 0 ? place / drainPerSecond : unknownSeconds;
  return Math.min(retryBounds.most, Math.max(retryBounds.least, Math.ceil(seconds)));
}

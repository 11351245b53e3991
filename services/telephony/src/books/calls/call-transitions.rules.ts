import type {
  CallEventType,
  CallProblem,
  CallTransferEntry,
  EndedReason,
  JobEventType,
  NavigationTimes,
  ReasonDetail,
} from '@parley/contract';
import type { Call, CallStatus } from './call.rules';
import { modesAtDialing, undetermined } from './call-evidence.rules';
import { chargeOf, costOf } from './holds.rules';

/** The triggers of transitions. */
export const callTriggers = [
  'come_due',
  'block',
  'hold_for_review',
  'approve',
  'reject',
  'dial',
  'answer',
  'start_media',
  'end',
  'fail',
  'cancel',
  'complete',
  'attach_transcript',
  'attach_recording',
  'attach_translation',
  'fail_translation',
  'attach_extraction',
  'fail_extraction',
] as const;
export type CallTrigger = (typeof callTriggers)[number];

/** The triggers that reports of workers raise. */
export const reportTriggers: Readonly<Record<JobEventType, CallTrigger>> = {
  dialing: 'dial',
  answered: 'answer',
  media_started: 'start_media',
  ended: 'end',
  failed: 'fail',
};

export interface CallTransition {
  readonly from: CallStatus;
  readonly on: CallTrigger;
  readonly to: CallStatus;
  /** The event that reports the transition; null if the public interface has none. */
  readonly event: CallEventType | null;
}

/**
 * All transitions of a call (docs/calls.md is generated from them). A trigger not listed for a status changes nothing. A call can fail only before it is answered: an
 * answered one always passes through `ended` to `completed`, even after an error, so that its minutes are reported. `policy_blocked`, `failed` and `canceled` are
 * final; `completed` only gains records.
 */
export const callTransitions: readonly CallTransition[] = [
  { from: 'scheduled', on: 'come_due', to: 'queued', event: 'call.queued' },
  { from: 'scheduled', on: 'block', to: 'policy_blocked', event: 'call.failed' },
  { from: 'scheduled', on: 'hold_for_review', to: 'needs_review', event: null },
  { from: 'scheduled', on: 'fail', to: 'failed', event: 'call.failed' },
  { from: 'scheduled', on: 'cancel', to: 'canceled', event: 'call.canceled' },
  { from: 'needs_review', on: 'approve', to: 'queued', event: 'call.queued' },
  { from: 'needs_review', on: 'reject', to: 'canceled', event: 'call.canceled' },
  { from: 'needs_review', on: 'cancel', to: 'canceled', event: 'call.canceled' },
  { from: 'queued', on: 'dial', to: 'dialing', event: 'call.dialing' },
  { from: 'queued', on: 'cancel', to: 'canceled', event: 'call.canceled' },
  { from: 'queued', on: 'fail', to: 'failed', event: 'call.failed' },
  { from: 'dialing', on: 'answer', to: 'answered', event: 'call.answered' },
  { from: 'dialing', on: 'fail', to: 'failed', event: 'call.failed' },
  { from: 'dialing', on: 'end', to: 'failed', event: 'call.failed' },
  { from: 'dialing', on: 'cancel', to: 'canceled', event: 'call.canceled' },
  { from: 'answered', on: 'start_media', to: 'answered', event: 'media.started' },
  { from: 'answered', on: 'end', to: 'ended', event: 'call.ended' },
  { from: 'answered', on: 'fail', to: 'ended', event: 'call.ended' },
  { from: 'ended', on: 'complete', to: 'completed', event: 'call.completed' },
  { from: 'completed', on: 'attach_transcript', to: 'completed', event: 'call.transcript.ready' },
  { from: 'completed', on: 'attach_recording', to: 'completed', event: 'call.recording.ready' },
  { from: 'completed', on: 'attach_translation', to: 'completed', event: 'call.translation.ready' },
  { from: 'completed', on: 'fail_translation', to: 'completed', event: 'call.translation.failed' },
  { from: 'completed', on: 'attach_extraction', to: 'completed', event: 'call.extraction.ready' },
  { from: 'completed', on: 'fail_extraction', to: 'completed', event: 'call.extraction.failed' },
];

const byState = new Map(callTransitions.map((transition) => [`${transition.from} ${transition.on}`, transition]));

/** The data that comes with a trigger. */
export interface TriggerFacts {
  /** When it happened, by the database's clock. */
  readonly at: Date;
  readonly endedReason?: EndedReason;
  readonly reasonDetail?: ReasonDetail;
  /** Call time since the answer as counted by the worker. The duration of a simulated call is this value, because the simulator's clock runs faster. */
  readonly elapsedMs?: number;
  /** Time spent in phone menus and on hold. */
  readonly navigation?: NavigationTimes;
  /** Problems that the worker reported. */
  readonly problems?: readonly CallProblem[];
}

export interface CallStep {
  /** The call after the step; resource_seq is incremented if there is an event. */
  readonly call: Call;
  readonly event: CallEventType | null;
}

/** Whether the transition table allows the step; media starts only once. */
function transitionOf(call: Call, trigger: CallTrigger): CallTransition | undefined {
  if (trigger === 'start_media' && call.mediaStartedAt !== null) return undefined;
  return byState.get(`${call.status} ${trigger}`);
}

/** Moves a call one step; undefined if nothing changes, because the report is late, repeated or invalid. */
export function advance(call: Call, trigger: CallTrigger, facts: TriggerFacts): CallStep | undefined {
  const transition = transitionOf(call, trigger);
  if (transition === undefined) return undefined;
  const moved = { ...call, ...changesOf(call, transition, facts) };
  const resourceSeq = call.resourceSeq + (transition.event === null ? 0 : 1);
  const stepped = { ...moved, status: transition.to, resourceSeq, updatedAt: facts.at };
  return { call: stepped, event: transition.event };
}

/** Applies several steps in order; those that change nothing are skipped. */
export function advanceThrough(call: Call, moves: readonly (readonly [CallTrigger, TriggerFacts])[]): CallStep[] {
  const steps: CallStep[] = [];
  for (const [trigger, facts] of moves) {
    const step = advance(steps.at(-1)?.call ?? call, trigger, facts);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function changesOf(call: Call, { event, to }: CallTransition, facts: TriggerFacts): Partial<Call> {
  switch (event) {
    case 'call.queued':
      return { queuedAt: facts.at };
    case 'call.dialing':
      return { dialingAt: facts.at, answerDetection: modesAtDialing(call) };
    case 'call.answered':
      return { answeredAt: facts.at };
    case 'media.started':
      return { mediaStartedAt: facts.at };
    case 'call.ended':
      return { ...endOf(call, facts), ...lengthOf(call, facts), ...navigationOf(call, facts), endedAt: facts.at };
    case 'call.failed':
      return to === 'policy_blocked' ? {} : { ...reasonsOf(facts), failedAt: facts.at };
    case 'call.canceled':
      return { ...reasonsOf(facts), canceledAt: facts.at };
    case 'call.completed':
      return { ...undetermined(call), completedAt: facts.at };
    case null:
    case 'call.created':
    case 'call.transcript.ready':
    case 'call.recording.ready':
    case 'call.translation.ready':
    case 'call.translation.failed':
    case 'call.extraction.ready':
    case 'call.extraction.failed':
      return {};
  }
}

/** A call whose transfer target answered ends as transferred, whatever end its worker reported. */
function endOf(call: Call, facts: TriggerFacts): Partial<Call> {
  const reasons = reasonsOf(facts);
  const transfers = JSON.parse(call.transfers) as readonly CallTransferEntry[];
  if (!transfers.some(({ outcome }) => outcome === 'connected')) return reasons;
  return { ...reasons, endedReason: 'transferred', reasonDetail: null };
}

function reasonsOf({ endedReason, reasonDetail, problems = [] }: TriggerFacts): Partial<Call> {
  const found = problems.length > 0 && { problems: JSON.stringify(problems) };
  return { endedReason: endedReason ?? null, reasonDetail: reasonDetail ?? null, ...found };
}

/** Incoming calls never navigate menus. */
const navigationOf = ({ direction }: Call, { navigation }: TriggerFacts): Partial<Call> =>
  direction === 'inbound' || navigation === undefined ? {} : { navigation: JSON.stringify(navigation) };

/** The length of an answered call in started seconds (for a simulated call from its call time), and its cost, rounded up to the micro-USD. */
function lengthOf(call: Call, facts: TriggerFacts): Pick<Call, 'durationSeconds' | 'costMicros'> {
  const simulatedMs = call.carrier === 'simulator' ? facts.elapsedMs : undefined;
  const milliseconds =
    call.answeredAt === null ? 0 : (simulatedMs ?? Math.max(0, facts.at.getTime() - call.answeredAt.getTime()));
  const durationSeconds = Math.ceil(milliseconds / 1000);
  return { durationSeconds, costMicros: chargeOf(costOf(durationSeconds, call.costMicrosPerMinute), call.holdMicros) };
}

import { callSummaryFields, renderListed, type AnswerDetectionEvidence } from '@parley/contract';
import type { Call } from './call.rules';
import { modesOf } from './call-evidence.rules';

const iso = (date: Date | null): string | null => (date === null ? null : date.toISOString());

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Null for a call without a pinned publication: an incoming one that was refused. */
function publicationOf({ publicationVersion, publicationSha256 }: Call): object | null {
  if (publicationSha256 === '') return null;
  return { version: publicationVersion, publication_id: `pub_${publicationSha256}` };
}

const notesOf = ({ policy: { notes } }: Call): object =>
  notes === null || notes === undefined ? {} : (JSON.parse(notes) as object);

function evidenceOf(call: Call): AnswerDetectionEvidence | null {
  const modes = modesOf(call);
  return modes === undefined ? null : { ...modes, proof: call.mailboxProof, withdrawn_by: call.proofWithdrawnBy };
}

/**
 * The public JSON of a call, class CallRecord. Used wherever a call is shown: in reads, in the `data` of events and for workers. Fields of steps that are not
 * reached yet are null.
 */
export const renderCall = (call: Call): string => JSON.stringify(recordOf(call));

/** The same in a list, shortened if a summary is requested. */
export const renderListedCall = (call: Call, summary: boolean): string =>
  renderListed(recordOf(call), summary ? callSummaryFields : undefined);

function recordOf(call: Call): object {
  return {
    call_id: call.callId,
    organization_id: call.organizationId,
    project_id: orNull(call.projectId),
    agent_id: orNull(call.agentId),
    publication: publicationOf(call),
    direction: call.direction,
    channel: call.channel,
    from: orNull(call.from),
    from_raw: call.fromRaw,
    to: orNull(call.to),
    status: call.status,
    ended_reason: call.endedReason,
    reason_detail: call.reasonDetail,
    policy: { verdict: call.policy.verdict, rules: call.policy.rules, ...notesOf(call) },
    classification: call.classification,
    classification_detail: call.classificationDetail,
    answer_detection: evidenceOf(call),
    navigation: call.navigation === null ? null : (JSON.parse(call.navigation) as unknown),
    language: orNull(call.language),
    recording_enabled: call.recordingEnabled,
    synthetic: call.synthetic,
    carrier: call.carrier,
    simulated: call.carrier === 'simulator',
    components_simulated: call.componentsSimulated,
    simulator_pace: call.simulatorPace,
    problems: JSON.parse(call.problems) as unknown,
    transfers: JSON.parse(call.transfers) as unknown,
    cancel_requested_at: iso(call.cancelRequestedAt),
    scheduled_at: iso(call.scheduledAt),
    created_at: iso(call.createdAt),
    queued_at: iso(call.queuedAt),
    dialing_at: iso(call.dialingAt),
    answered_at: iso(call.answeredAt),
    media_started_at: iso(call.mediaStartedAt),
    ended_at: iso(call.endedAt),
    completed_at: iso(call.completedAt),
    failed_at: iso(call.failedAt),
    canceled_at: iso(call.canceledAt),
    duration_seconds: call.durationSeconds,
    cost: { currency: 'USD', amount_micros: call.costMicros },
    variables: JSON.parse(call.variables) as unknown,
    metadata: JSON.parse(call.metadata) as unknown,
    updated_at: iso(call.updatedAt),
    erased_at: iso(call.erasedAt),
  };
}

/** The strong entity tag of a call. Most changes increment resource_seq, because they have an event. */
export function callEtag(call: Call): string {
  // Changes without an event also change the tag: a requested cancellation, a scheduled call that waits for a review, an erased call.
  const asked = call.cancelRequestedAt === null ? '' : '.c';
  const held = call.scheduledAt !== null && call.status === 'needs_review' ? '.r' : '';
  const erased = call.erasedAt === null ? '' : '.e';
  // Transfers have no event either: the length of their JSON changes when a transfer is added, or when `ringing` is replaced by a status of another length.
  const moved = call.transfers === '[]' ? '' : `.t${call.transfers.length}`;
  return `"${call.callId}.${call.resourceSeq}${asked}${held}${erased}${moved}"`;
}

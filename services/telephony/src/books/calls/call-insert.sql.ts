import type { Queryable } from '@parley/runtime';
import type { Call } from './call.rules';
import { callColumns } from './call-rows.sql';

const others = callColumns.filter((column) => column !== 'organization_id');

const text = `insert into calls (organization_id, ${others.join(', ')})
  values ($1, ${others.map((_, index) => `$${index + 2}`).join(', ')})`;

/** Inserts a call that did not come from outbound admission: an incoming, test or trial call. */
export async function insertCall(tx: Queryable, organizationId: string, call: Call): Promise<void> {
  const row: Readonly<Record<(typeof others)[number], unknown>> = {
    call_id: call.callId,
    project_id: call.projectId,
    agent_id: call.agentId,
    direction: call.direction,
    from_number: call.from,
    from_raw: call.fromRaw,
    to_number: call.to,
    status: call.status,
    resource_seq: call.resourceSeq,
    ended_reason: call.endedReason,
    reason_detail: call.reasonDetail,
    policy_verdict: call.policy.verdict,
    policy_rules: call.policy.rules,
    mode: call.mode,
    publication_version: call.publicationVersion,
    publication_sha256: call.publicationSha256,
    tuning: call.tuning,
    language: call.language,
    recording_enabled: call.recordingEnabled,
    cost_micros_per_minute: call.costMicrosPerMinute,
    classification: call.classification,
    classification_detail: call.classificationDetail,
    answer_detection: call.answerDetection,
    mailbox_proof: call.mailboxProof,
    proof_withdrawn_by: call.proofWithdrawnBy,
    navigation: call.navigation,
    variables: call.variables,
    metadata: call.metadata,
    created_at: call.createdAt,
    scheduled_at: call.scheduledAt,
    queued_at: call.queuedAt,
    dialing_at: call.dialingAt,
    answered_at: call.answeredAt,
    media_started_at: call.mediaStartedAt,
    ended_at: call.endedAt,
    completed_at: call.completedAt,
    failed_at: call.failedAt,
    canceled_at: call.canceledAt,
    updated_at: call.updatedAt,
    duration_seconds: call.durationSeconds,
    cost_micros: call.costMicros,
    hold_micros: call.holdMicros,
    hold_day: call.holdDay,
    policy_notes: call.policy.notes ?? null,
    synthetic: call.synthetic,
    needs: call.needs,
    carrier: call.carrier,
    simulator_pace: call.simulatorPace,
    components_simulated: call.componentsSimulated,
    problems: call.problems,
    cancel_requested_at: call.cancelRequestedAt,
    channel: call.channel,
    callee_zone: call.calleeZone,
  };
  await tx.query({ name: 'call-insert', text, values: [organizationId, ...others.map((column) => row[column])] });
}

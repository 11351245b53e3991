import type { CallChannel, MailboxProof, SimulatorPace } from '@parley/contract';
import type { Call, CallStatus, PolicyVerdict } from './call.rules';

/** Every column of `calls`, in insert order. */
export const callColumns = [
  'call_id',
  'organization_id',
  'project_id',
  'agent_id',
  'direction',
  'from_number',
  'from_raw',
  'to_number',
  'status',
  'resource_seq',
  'ended_reason',
  'reason_detail',
  'policy_verdict',
  'policy_rules',
  'mode',
  'publication_version',
  'publication_sha256',
  'tuning',
  'language',
  'recording_enabled',
  'cost_micros_per_minute',
  'classification',
  'classification_detail',
  'answer_detection',
  'mailbox_proof',
  'proof_withdrawn_by',
  'navigation',
  'variables',
  'metadata',
  'created_at',
  'scheduled_at',
  'queued_at',
  'dialing_at',
  'answered_at',
  'media_started_at',
  'ended_at',
  'completed_at',
  'failed_at',
  'canceled_at',
  'updated_at',
  'duration_seconds',
  'cost_micros',
  'synthetic',
  'hold_micros',
  'hold_day',
  'policy_notes',
  'needs',
  'carrier',
  'simulator_pace',
  'components_simulated',
  'problems',
  'cancel_requested_at',
  'channel',
  'callee_zone',
] as const;

/** The select list with alias `c`. */
export const selectedCall = [...callColumns, 'erased_at', 'transfers']
  .map((column) => (column === 'hold_day' ? 'c.hold_day::text as hold_day' : `c.${column}`))
  .join(', ');

/** As returned by pg: bigint is text. */
export interface CallRow {
  readonly call_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly agent_id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from_number: string;
  readonly from_raw: string | null;
  readonly to_number: string;
  readonly status: CallStatus;
  readonly resource_seq: number;
  readonly ended_reason: string | null;
  readonly reason_detail: string | null;
  readonly policy_verdict: PolicyVerdict;
  readonly policy_rules: string[];
  readonly mode: string;
  readonly publication_version: number;
  readonly publication_sha256: string;
  readonly tuning: string;
  readonly language: string;
  readonly recording_enabled: boolean;
  readonly cost_micros_per_minute: string;
  readonly classification: string | null;
  readonly classification_detail: string | null;
  readonly answer_detection: string | null;
  readonly mailbox_proof: MailboxProof | null;
  readonly proof_withdrawn_by: string | null;
  readonly navigation: string | null;
  readonly variables: string;
  readonly metadata: string;
  readonly created_at: Date;
  readonly scheduled_at: Date | null;
  readonly queued_at: Date | null;
  readonly dialing_at: Date | null;
  readonly answered_at: Date | null;
  readonly media_started_at: Date | null;
  readonly ended_at: Date | null;
  readonly completed_at: Date | null;
  readonly failed_at: Date | null;
  readonly canceled_at: Date | null;
  readonly updated_at: Date;
  readonly duration_seconds: number | null;
  readonly cost_micros: string;
  readonly synthetic: boolean;
  readonly hold_micros: string | null;
  readonly hold_day: string | null;
  readonly policy_notes: string | null;
  readonly needs: string[];
  readonly callee_zone: string | null;
  readonly carrier: string | null;
  readonly simulator_pace: SimulatorPace | null;
  readonly components_simulated: string[];
  readonly problems: string;
  readonly transfers: string;
  readonly cancel_requested_at: Date | null;
  readonly channel: CallChannel;
  readonly erased_at: Date | null;
}

export function callOf(row: CallRow): Call {
  return {
    callId: row.call_id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    agentId: row.agent_id,
    direction: row.direction,
    channel: row.channel,
    from: row.from_number,
    fromRaw: row.from_raw,
    to: row.to_number,
    status: row.status,
    synthetic: row.synthetic,
    needs: row.needs,
    calleeZone: row.callee_zone,
    carrier: row.carrier,
    simulatorPace: row.simulator_pace,
    componentsSimulated: row.components_simulated,
    problems: row.problems,
    transfers: row.transfers,
    cancelRequestedAt: row.cancel_requested_at,
    erasedAt: row.erased_at,
    resourceSeq: row.resource_seq,
    endedReason: row.ended_reason,
    reasonDetail: row.reason_detail,
    policy: { verdict: row.policy_verdict, rules: row.policy_rules, notes: row.policy_notes },
    mode: row.mode,
    publicationVersion: row.publication_version,
    publicationSha256: row.publication_sha256,
    tuning: row.tuning,
    language: row.language,
    recordingEnabled: row.recording_enabled,
    costMicrosPerMinute: Number(row.cost_micros_per_minute),
    classification: row.classification,
    classificationDetail: row.classification_detail,
    answerDetection: row.answer_detection,
    mailboxProof: row.mailbox_proof,
    proofWithdrawnBy: row.proof_withdrawn_by,
    navigation: row.navigation,
    variables: row.variables,
    metadata: row.metadata,
    createdAt: row.created_at,
    scheduledAt: row.scheduled_at,
    queuedAt: row.queued_at,
    dialingAt: row.dialing_at,
    answeredAt: row.answered_at,
    mediaStartedAt: row.media_started_at,
    endedAt: row.ended_at,
    completedAt: row.completed_at,
    failedAt: row.failed_at,
    canceledAt: row.canceled_at,
    updatedAt: row.updated_at,
    durationSeconds: row.duration_seconds,
    costMicros: Number(row.cost_micros),
    holdMicros: row.hold_micros === null ? null : Number(row.hold_micros),
    holdDay: row.hold_day,
  };
}

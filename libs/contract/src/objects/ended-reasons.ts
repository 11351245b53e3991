/** Why a call ended (docs/reference/calls.md): the reasons that workers and gateways may report, and those that the platform sets. */
export const endedReasons = [
  'max_call_duration_reached',
  'no_caller_speech_after_answer',
  'no_human_after_answer',
  'agent_unresponsive',
  'ivr_timeout',
  'platform_maintenance',
  'callee_hung_up',
  'caller_hung_up',
  'agent_hung_up',
  'transferred',
  'busy',
  'no_answer',
  'declined',
  'carrier_failure',
  'carrier_completed',
  'canceled',
  'suppressed',
  'worker_lost',
  'worker_failed',
  'configuration_unavailable',
  'configuration_not_runnable',
  'agent_inactive',
  'suspended',
  'number_not_in_workspace',
  'no_inbound_agent',
  'capacity_unavailable',
  'live_call_limit',
  'spend_cap',
  'insufficient_balance',
] as const;
export type EndedReason = (typeof endedReasons)[number];

/** A validation rule for reports of workers and gateways: this detail exists on old calls but must not be reported any more. */
export const noOldDetail = ({ reason_detail: detail }: { readonly reason_detail?: string }): string | undefined =>
  detail === 'model_session_lost' ? 'reason_detail model_session_lost is not reported any more' : undefined;

/** The reasons that reads can return. Calls that completed before 2026-09-25 may have `model_session_lost`, which is no longer set. */
export const readableEndedReasons = [...endedReasons, 'model_session_lost'] as const;
export type ReadableEndedReason = (typeof readableEndedReasons)[number];

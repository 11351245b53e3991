/**
 * Why a call ended. Section 2.7 names those of a conducted call; the carrier's and the platform's own stand beside them.
 * A worker may report others of the same form: the list is what this platform itself writes.
 */
export const endedReasons = [
  'max_call_duration_reached',
  'no_caller_speech_after_answer',
  'no_human_after_answer',
  'agent_unresponsive',
  'ivr_timeout',
  'platform_maintenance',
  'callee_hung_up',
  'agent_hung_up',
  'voicemail_reached',
  'busy',
  'no_answer',
  'carrier_failure',
  'carrier_completed',
  'canceled',
  'suppressed',
  'worker_lost',
  'worker_failed',
  'configuration_unavailable',
] as const;
export type EndedReason = (typeof endedReasons)[number];

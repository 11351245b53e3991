import { accountCarriers, type AccountCarrier } from '../carriers';
import { blockerRepairs, type BlockerCode } from '../documents/readiness';

/** Every `reason_detail` of a call, and what it says. Responses of SIP and errors of carriers with accounts add their codes, as in `sip_486`. */
export const reasonDetails = {
  account_gone: 'The account of the number was deleted while the call was placed.',
  asterisk_refused: 'Asterisk did not accept the trunk of the number.',
  calls_per_hour: 'The cap of calls in an hour was reached.',
  calls_per_minute: 'The cap of calls in a minute was reached.',
  canceled_at_carrier: 'The call was canceled in the account at the carrier.',
  carrier_refused: 'The carrier did not accept the call.',
  carrier_silent: 'The carrier did not say what became of the call.',
  external_server_lost: "The connection to the agent's own server was lost.",
  gone_at_carrier: 'The carrier no longer knows the call.',
  hold_limit: 'The call was on hold for max_hold_seconds.',
  host_refused: 'The host of the trunk has no address that is allowed.',
  model_session_lost: 'Calls that completed before 2026-09-25: the model gave no reply.',
  model_unresponsive: 'The model gave no reply.',
  navigation_limit: 'The call was in menus for max_navigation_seconds.',
  no_engine: 'No engine accepted the call.',
  no_stream: 'The carrier opened no audio stream.',
  not_connected: 'No one connected, or the line closed before that.',
  not_dialed: 'The call was not placed.',
  queue_full: 'The queue of the organization was full.',
  scheduled_full: 'The organization has too many scheduled calls.',
  too_much_unread: 'The other side sent audio faster than time passes.',
  transcriber_unavailable: 'No transcriber could be used.',
  trunk_gone: 'The trunk of the number was deleted.',
  unreachable: 'The carrier could not be reached.',
  voice_unavailable: 'No voice could be used.',
  worker_lost: 'The worker of the call was lost while it was canceled.',
} as const;

export type ReasonDetail = keyof typeof reasonDetails | `sip_${string}` | `${AccountCarrier}_${string}`;

export const reasonDetailForm = new RegExp(
  `^(${Object.keys(reasonDetails).join('|')}|sip_[1-6][0-9]{2}|(${accountCarriers.join('|')})_[a-z0-9_]{1,40})$`,
);

export const isReasonDetail = (text: string): text is ReasonDetail => reasonDetailForm.test(text);

/** Every code of `problems`, and what it says. A call that cannot be conducted has those of its blockers too. */
export const problemMeanings = {
  audio_backlog: 'Audio of the other party arrived late and at once; its oldest part was dropped.',
  carrier_failure: 'What the carrier said about its refusal.',
  component_failed: 'An attempt of the model failed.',
  configuration_not_runnable: 'The configuration of the call could not be used.',
  content_filtered: 'The provider of the model filtered a reply or refused a turn.',
  empty_reply: 'The model replied without words.',
  external_server_failed: "The agent's own server failed.",
  language_not_published: 'The publication has no language for the call.',
  marks_lost: 'The line does not report what it has played; playback went on by the clock.',
  provider_failed: 'An attempt of a provider failed.',
  provider_hedged: 'A provider was slow, so a second request was made.',
  provider_skipped: 'A provider that had failed shortly before got no request.',
  recording_not_announced: 'The recording could not be announced, so nothing was recorded.',
  setting_not_applied: 'The worker could not apply a setting.',
  snapshot_unreadable: 'Another release conducted the call before; it was continued from the transcript alone.',
  speech_skipped: 'The provider of the voice refused a text, which was not said.',
  transcript_cut: 'The transcript was too large; its end is missing.',
  turn_dropped: 'A turn was refused; it is missing in the transcript or in later requests to the model.',
  variables_invalid: 'The variables of the call do not fit the agent.',
} as const;

export type ProblemCode = keyof typeof problemMeanings | BlockerCode;

export const problemCodes = [...Object.keys(problemMeanings), ...Object.keys(blockerRepairs)] as readonly ProblemCode[];

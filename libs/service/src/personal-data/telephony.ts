import { noPerson, organizationColumn, type PersonalTable, type ServiceTables } from './entry';
import { ofADay } from './of-a-day';
import { callSums, demos, numbersAndTrunks, workers } from './trunks-and-sums';
import { idempotency, outbox, noDeadLetters, schemaMigrations } from './every-service';

const withCall = (days: 'calls_days' | 'content_days' | 'recordings_days'): string =>
  `erased by DELETE of the call, with its number, and by ${days} of the organization's retention`;
const withMessage = "erased with its number and by messages_days of the organization's retention";
const withContact =
  "erased with its number and by calls_days of the organization's retention once the campaign is over";

const ofCalls = (
  table: Pick<PersonalTable, 'personal' | 'other'>,
  days: Parameters<typeof withCall>[0] = 'content_days',
): PersonalTable => ({
  ...table,
  byOrganization: organizationColumn,
  byPerson: { columns: ['call_id'] },
  aging: withCall(days),
});

/** Tables with data about the people who are called or who call. */
const people: Readonly<Record<string, PersonalTable>> = {
  calls: {
    personal: {
      from_number: 'the phone number of the caller',
      to_number: 'the phone number of the callee',
      variables: 'what the customer knows of the callee',
      metadata: 'what the customer noted with the call',
      classification_detail: 'what was heard of the other side',
      mailbox_proof: 'what was heard of the other side',
      reason_detail: 'why the call ended',
      policy_notes: 'why the policy held it',
      problems: 'what the worker could not do',
      transfers: 'whom the call was handed to',
      placed_by: 'the key that placed it, and so its holder',
      tuning: "the agent's configuration for this call",
    },
    other: [
      ...['call_id', 'organization_id', 'project_id', 'agent_id', 'direction', 'status', 'ended_reason'],
      ...['policy_verdict', 'policy_rules', 'mode', 'publication_sha256', 'language', 'classification'],
      ...['needs', 'carrier', 'simulator_pace', 'components_simulated', 'answer_detection', 'navigation', 'channel'],
      'final_status',
    ],
    byOrganization: organizationColumn,
    byPerson: { columns: ['from_number', 'to_number', 'call_id'] },
    aging: `${withCall('calls_days')}; the account of the call stays`,
  },
  scheduled_calls: ofCalls({
    personal: { language: 'the language for the callee' },
    other: ['call_id', 'organization_id', 'agent_id', 'traceparent'],
  }),
  call_events: ofCalls({
    personal: { payload: 'the call as it was when the event happened' },
    other: ['call_id', 'organization_id', 'event_id', 'type'],
  }),
  inbound_calls: ofCalls(
    {
      personal: { gateway_call_id: "the carrier's id of the call" },
      other: ['organization_id', 'call_id', 'router', 'taken_by'],
    },
    'calls_days',
  ),
  carrier_lines: ofCalls(
    {
      personal: { carrier_call_id: "the carrier's id of the call" },
      other: ['organization_id', 'call_id', 'job_id', 'provider', 'account_sid', 'state'],
    },
    'calls_days',
  ),
  call_transfers: ofCalls({
    personal: {
      to_address: 'whom the call was handed to',
      announcement: 'what they heard',
      carrier_call_id: "the carrier's id of the call to them",
      key: 'the tool call that asked for it',
    },
    other: ['transfer_id', 'organization_id', 'call_id', 'kind', 'provider', 'account_sid', 'outcome'],
  }),
  call_metadata: ofCalls({
    personal: { name: 'what the client wrote to a call', value: 'what the client wrote to a call' },
    other: ['organization_id', 'call_id'],
  }),
  transcripts: ofCalls({
    personal: { body: 'what was said' },
    other: ['call_id', 'organization_id'],
  }),
  call_input_logs: ofCalls({
    personal: { log: 'what was said, without digits' },
    other: ['call_id', 'organization_id'],
  }),
  call_extractions: ofCalls({
    personal: { body: 'what was extracted from what was said' },
    other: ['call_id', 'organization_id', 'status', 'run_id'],
  }),
  transcript_translations: ofCalls({
    personal: { texts: 'what was said, translated' },
    other: ['call_id', 'organization_id', 'status', 'target_language', 'provider', 'reason'],
  }),
  recordings: ofCalls(
    {
      personal: { content: 'the voices', sha256: 'digest of the voices' },
      other: ['call_id', 'organization_id', 'format'],
    },
    'recordings_days',
  ),
  recording_uploads: ofCalls(
    {
      personal: {
        sha256: 'digest of the voices',
        wave_sha256: 'digest of the voices',
        file_sha256: 'digest of the voices',
      },
      other: ['call_id', 'organization_id', 'state', 'file_id', 'file_format'],
    },
    'recordings_days',
  ),
  recording_files: ofCalls(
    {
      personal: { file_id: 'the last part of the name of an object with the voices in the bucket RECORDINGS' },
      other: ['call_id', 'organization_id'],
    },
    'recordings_days',
  ),
  recording_parts: ofCalls(
    {
      personal: { sha256: 'digest of the voices in the bucket RECORDINGS' },
      other: ['call_id', 'organization_id'],
    },
    'recordings_days',
  ),
  messages: {
    personal: {
      from_number: 'the phone number of the sender',
      to_number: 'the phone number of the recipient',
      body: 'what was written',
      translation_body: 'what was written, translated',
      metadata: 'what the customer noted with the message',
      carrier_message_id: "the carrier's id of the message",
      policy_notes: 'why the policy held it',
      error_detail: 'what the carrier said of it',
    },
    other: [
      ...['message_id', 'organization_id', 'project_id', 'agent_id', 'direction', 'status', 'purpose', 'campaign_id'],
      ...['template_id', 'language', 'provider', 'policy_verdict', 'policy_rules', 'error_code', 'translation_status'],
      ...['translation_target', 'translation_provider', 'translation_reason'],
    ],
    byOrganization: organizationColumn,
    byPerson: { columns: ['from_number', 'to_number', 'message_id'] },
    aging: `${withMessage}; the account of the message stays`,
  },
  campaign_contacts: {
    personal: {
      phone_number: 'the phone number of the contact',
      variables: 'what the customer knows of the contact',
      metadata: 'what the customer noted with the contact',
    },
    other: ['contact_id', 'organization_id', 'campaign_id', 'status', 'outcome', 'last_call_id'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['phone_number', 'last_call_id'] },
    aging: withContact,
  },
  campaign_imports: {
    personal: { header: 'names of the columns of an import, which may say what is known of people' },
    other: ['import_id', 'organization_id', 'campaign_id', 'format', 'status'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it contains no row of the import'),
    aging: withContact,
  },
  campaign_import_faults: {
    personal: { reason: 'what is wrong with a row, which may quote it' },
    other: ['import_id', 'organization_id'],
    byOrganization: organizationColumn,
    byPerson: { through: 'the campaign of import_id' },
    aging: withContact,
  },
  erasures: {
    personal: { phone_number: 'the phone number that is being erased' },
    other: [
      ...['erasure_id', 'organization_id', 'status', 'calls_position', 'messages_position'],
      ...['calls_walked', 'messages_walked', 'calls_left', 'messages_left'],
    ],
    byOrganization: organizationColumn,
    byPerson: { columns: ['phone_number'] },
    aging: 'erased when the erasure ends; the record of the erasure stays, without the number',
  },
  message_replies: {
    personal: { pair: "SHA-256 of the organization's number and the sender's" },
    other: ['message_id', 'organization_id', 'agent_id', 'kind', 'language', 'call_id'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['message_id'] },
    aging: 'deleted a day after the message came',
  },
  message_chats: ofCalls(
    {
      personal: { person: "SHA-256 of the organization's id and the phone number of who wrote to the agent" },
      other: ['call_id', 'organization_id'],
    },
    'calls_days',
  ),
  suppressions: {
    personal: { phone_number: 'a phone number that must not be called', reason: 'why' },
    other: ['organization_id'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['phone_number'] },
    aging: 'deleted when it is lifted; kept: the objection has to outlast everything else that is known of the person',
  },
  wallet_top_ups: {
    personal: {
      requested_by: 'the key that asked for it, and so its holder',
      confirmed_by: "the operator's key that confirmed it",
      note: 'what an operator or the customer wrote',
    },
    other: ['top_up_id', 'organization_id', 'status', 'entry_id'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it is about money of the organization'),
    aging: 'kept: as accounting data',
  },
  campaign_starts: {
    personal: { key_id: 'the key that launched or resumed the campaign, and so its holder' },
    other: ['organization_id', 'campaign_id'],
    byOrganization: organizationColumn,
    byPerson: noPerson('it names only keys'),
    aging: 'kept: as long as the campaign',
  },
  ...ofADay,
  phone_pin_attempts: {
    personal: {},
    other: ['organization_id', 'phone_number'],
    byOrganization: organizationColumn,
    byPerson: noPerson("the organization's own number and times"),
    aging: 'kept: at most five times of each number',
  },
  wallet_ledger: {
    personal: {
      call_id: 'which call was paid',
      message_id: 'which message was paid',
      actor_key_id: 'the key that topped up, and so its holder',
      note: 'what an operator or the customer wrote',
    },
    other: ['entry_id', 'organization_id', 'kind'],
    byOrganization: organizationColumn,
    byPerson: { columns: ['call_id', 'message_id'] },
    aging: 'kept: it is append-only, as accounting data',
  },
};

/** Tables with data that the customer configured, which may contain names of people. */
const setUp: Readonly<Record<string, PersonalTable>> = {
  campaigns: {
    personal: { name: 'a name that the customer chose', from_number: 'a phone number of the customer' },
    other: [
      ...['campaign_id', 'organization_id', 'project_id', 'agent_id', 'settings', 'status', 'paused_reason'],
      ...['end_reason', 'waits_for', 'outcomes', 'recent', 'recent_steps', 'last_attempts'],
    ],
    byOrganization: organizationColumn,
    byPerson: { through: 'campaign_contacts' },
    aging: 'kept: it is the account of what was called; it names no contact',
  },
  ...numbersAndTrunks,
};

/** The tables of the service telephony. */
export const telephonyTables: ServiceTables = {
  personal: { ...people, ...setUp, idempotency, outbox, dead_letters: noDeadLetters },
  without: {
    campaign_attempts: [
      ...['attempt_id', 'organization_id', 'campaign_id', 'contact_id'],
      ...['status', 'waits_for', 'call_id', 'outcome'],
    ],
    erased_copies: ['resource_id', 'organization_id', 'erasure_id', 'first_event_id', 'last_event_id'],
    organization_retention: ['organization_id'],
    retention_left: ['organization_id', 'rule', 'resource_id'],
    retention_positions: ['organization_id', 'rule', 'position'],
    job_reports: ['job_id', 'organization_id', 'call_status'],
    background_cursors: ['name', 'position'],
    jobs: [
      ...['job_id', 'organization_id', 'call_id', 'agent_id', 'kind', 'state', 'worker_id', 'line_taken_by'],
      ...['needs', 'declaration', 'dialer', 'adopt_token_hash'],
    ],
    ...workers,
    ...callSums,
    ...demos,
    message_jobs: ['message_id', 'organization_id', 'agent_id', 'state'],
    organization_controls: ['organization_id', 'billing', 'recent', 'recent_steps'],
    organization_policies: ['organization_id', 'body'],
    translation_jobs: ['resource_id', 'organization_id', 'kind', 'target_language'],
    schema_migrations: schemaMigrations,
  },
};

-- The schema of telephony: calls, messages, campaigns, numbers and wallets.
--
-- Erased with the call: when the call is deleted, when its number is erased, and by the organization's retention in the named days (organization_retention).
-- Erased with the message: when its number is erased, and by messages_days. Erased with the contact: when its number is erased, and by calls_days once the
-- campaign is over.

-- CALLS

-- Calls, tests and chats included.
-- Erasure: the account of the call stays.
create table calls (
  -- Ids grow with time, so that (organization_id, call_id) descending is newest first.
  call_id text primary key,
  organization_id text not null,
  project_id text not null,
  agent_id text not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  from_number text not null, -- personal (erased with the call, calls_days): the phone number of the caller
  -- What an incoming call named as its caller, if that is no number. personal (erased with the call, calls_days): text of the caller's network
  from_raw text,
  to_number text not null, -- personal (erased with the call, calls_days): the phone number of the callee
  status text not null check (status in ('scheduled', 'queued', 'dialing', 'answered', 'ended', 'completed', 'failed', 'canceled', 'policy_blocked', 'needs_review')),
  -- Counts the events of this call; every write raises it together with the events it appends.
  resource_seq integer not null check (resource_seq > 0),
  ended_reason text, -- A code of the contract.
  reason_detail text, -- personal (erased with the call, calls_days): why the call ended
  -- What outbound policy said, and the ids of the rules that decided.
  policy_verdict text not null check (policy_verdict in ('allowed', 'blocked', 'review')),
  policy_rules text[] not null default '{}', -- Ids of the rules that decided.
  -- What the call runs on, pinned at admission. Version 0: compiled for this call alone.
  mode text not null,
  publication_version integer not null,
  publication_sha256 text not null,
  -- JSON of the class CallTuning. personal (erased with the call, calls_days): the agent's configuration for this call
  tuning text not null,
  language text not null,
  recording_enabled boolean not null,
  cost_micros_per_minute bigint not null check (cost_micros_per_minute >= 0),
  classification text, -- Who took the call: a code of the contract.
  classification_detail text, -- personal (erased with the call, calls_days): what was heard of the other side
  -- JSON objects as they were sent. personal (erased with the call, calls_days): what the customer knows of the callee
  variables text not null,
  metadata text not null, -- personal (erased with the call, calls_days): what the customer noted with the call
  created_at timestamptz not null,
  scheduled_at timestamptz,
  queued_at timestamptz,
  dialing_at timestamptz,
  answered_at timestamptz,
  media_started_at timestamptz,
  ended_at timestamptz,
  completed_at timestamptz,
  failed_at timestamptz,
  canceled_at timestamptz,
  -- Of the last event.
  updated_at timestamptz not null,
  duration_seconds integer check (duration_seconds >= 0),
  -- Micro-USD.
  cost_micros bigint not null default 0 check (cost_micros >= 0),
  synthetic boolean not null default false,
  -- Micro-USD held for this call; null for a call that nothing is held for (any more, or yet).
  hold_micros bigint check (hold_micros >= 0),
  -- The day in whose spend the hold counts.
  hold_day date,
  -- JSON: plain reasons beside policy_rules, and what rules in shadow would have done. Null for nothing. personal (erased with the call, calls_days):
  -- why the policy held it
  policy_notes text,
  -- A call that waits for a review has no job yet: its priority stands on the call until it is approved.
  priority smallint not null default 1 check (priority >= 0 and priority <= 2),
  needs text[] not null default '{}', -- What a worker must be able to do to conduct it.
  -- The provider of the platform's number. Null: not known, or none.
  carrier text,
  simulator_pace text check (simulator_pace in ('instant', 'real_time')),
  components_simulated text[] not null default '{}', -- Kinds of components that were simulated: stt, llm, tts.
  -- JSON: a list of the class CallProblem. personal (erased with the call, calls_days): what the worker could not do
  problems text not null default '[]',
  cancel_requested_at timestamptz,
  -- Who placed a call: the id of the key or of the campaign; empty for calls that came in and trial calls. personal
  -- (erased with the call, calls_days): the key that placed it, and so its holder
  placed_by text not null default '',
  -- Whether a hold is reserved in the wallet. It is settled as it was taken, however the organization pays by then.
  hold_reserved boolean not null default false,
  -- JSON of AnswerDetectionModes, as set when the call was dialed. Null: not dialed, or incoming.
  answer_detection text,
  -- personal (erased with the call, calls_days): what was heard of the other side
  mailbox_proof text check (mailbox_proof in ('beep', 'mailbox_instruction')),
  proof_withdrawn_by text, -- The turn of a person after which the proof does not count.
  callee_zone text, -- IANA: where the callee is, if the caller knew; null: read from the number.
  -- JSON of the class NavigationTimes. Null: the call did not navigate.
  navigation text,
  -- Calls that a worker takes by the token of whoever connects, in place of a claim (ADR 56).
  channel text not null default 'phone' check (channel in ('phone', 'browser', 'chat')),
  -- Retention and erasure (ADR 69). An erased call or message stays as the account of what it cost; nothing of a person is left in it.
  erased_at timestamptz,
  -- What the record shows of them: JSON. personal (erased with the call, calls_days): whom the call was handed to
  transfers text not null default '[]',
  -- Lists of calls by status, reason, direction and campaign, newest or oldest first. The status of a call that goes on changes with every step: an
  -- index of it would be written at each. The generated column changes once, when the call is over, so that the steps before stay updates within
  -- their page (ADR 99). Calls that go on have null there and are few.
  final_status text generated always as (case when status in ('completed', 'failed', 'canceled', 'policy_blocked') then status end) stored
);
create index calls_of_organization on calls (organization_id, call_id);
create index calls_of_agent on calls (organization_id, agent_id, call_id);
-- Lists of calls and messages by project and by number, newest first; ids grow with time. The organization stands second, so that a plan made while
-- the tables are empty does not take one of these for a search by organization and id.
create index calls_of_project on calls (project_id, organization_id, call_id);
create index calls_from on calls (from_number, organization_id, call_id);
create index calls_to on calls (to_number, organization_id, call_id);
create index calls_by_status on calls (final_status, organization_id, call_id);
create index calls_by_ended_reason on calls (ended_reason, organization_id, call_id);
create index calls_by_direction on calls (direction, organization_id, call_id);
-- Writes the metadata of a changed call anew.
create function search_call_metadata() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    delete from call_metadata where call_id = new.call_id;
  end if;
  insert into call_metadata (organization_id, call_id, name, value)
  select new.organization_id, new.call_id, entry.key, entry.value #>> '{}'
  from jsonb_each(new.metadata::jsonb) as entry
  where jsonb_typeof(entry.value) in ('string', 'number', 'boolean')
    and char_length(entry.key) between 1 and 64 and char_length(entry.value #>> '{}') <= 256
  order by entry.key collate "C" limit 64
  on conflict do nothing;
  return null;
end $$;
create trigger calls_metadata_changed after update of metadata on calls for each row when (new.metadata is distinct from old.metadata) execute function search_call_metadata();
-- The metadata of added calls is written once per statement instead of once per call, because an admission adds many calls with one statement.
create function search_added_metadata() returns trigger language plpgsql set search_path from current as $$
begin
  insert into call_metadata (organization_id, call_id, name, value)
  select added.organization_id, added.call_id, found.key, found.text
  from added cross join lateral (
    select entry.key, entry.value #>> '{}' as text
    from jsonb_each(added.metadata::jsonb) as entry
    where jsonb_typeof(entry.value) in ('string', 'number', 'boolean')
      and char_length(entry.key) between 1 and 64 and char_length(entry.value #>> '{}') <= 256
    order by entry.key collate "C" limit 64
  ) as found
  where added.metadata <> '{}'
  on conflict do nothing;
  return null;
end $$;
create trigger calls_metadata_added after insert on calls referencing new table as added for each statement execute function search_added_metadata();

-- Calls are found by an entry of their metadata (ADR 117): its texts, numbers and booleans, with names of at most 64 characters and values of at most
-- 256, and of each call the first 64 by name. Written by a trigger, because calls are inserted in several places.
create table call_metadata (
  organization_id text not null,
  call_id text not null,
  name text not null, -- personal (erased with the call, content_days): what the client wrote to a call
  value text not null, -- personal (erased with the call, content_days): what the client wrote to a call
  primary key (call_id, name)
);
create index call_metadata_search on call_metadata (name, value, organization_id, call_id);

-- Every event of a call as it was published; the outbox forgets, this does not.
create table call_events (
  call_id text not null,
  resource_seq integer not null,
  organization_id text not null,
  event_id text not null,
  type text not null,
  payload text not null, -- personal (erased with the call, content_days): the call as it was when the event happened
  created_at timestamptz not null,
  primary key (call_id, resource_seq)
);

-- What was said in calls that go on, as their workers report it (ADR 72). A call that ends without its worker has its transcript from here; the rows
-- of a call go when it ends.
-- Erasure: deleted when the call ends, at the latest after a day. Found for a person by call_id.
create table call_turns (
  organization_id text not null,
  call_id text not null,
  -- In the transcript, from 0 on.
  position integer not null,
  -- JSON of TranscriptTurn, without numbers of cards. personal (erased with the row): what was said in a call in progress
  body text not null,
  reported_at timestamptz not null default clock_timestamp(),
  primary key (call_id, position)
);
create index call_turns_by_age on call_turns (reported_at);

-- The final transcripts of calls.
create table transcripts (
  call_id text primary key,
  organization_id text not null,
  -- JSON of the class Transcript. personal (erased with the call, content_days): what was said
  body text not null,
  created_at timestamptz not null
);

-- A transcript in the language of the agent's translation policy.
create table transcript_translations (
  call_id text primary key,
  organization_id text not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  target_language text not null,
  -- JSON: one text a turn. personal (erased with the call, content_days): what was said, translated
  texts text not null default '[]',
  provider text,
  reason text, -- Why there is no translation.
  updated_at timestamptz not null
);

-- What happened in a call that is over, as its engine kept it for a replay (ADR 72): gzip of lines of JSON, numbers redacted.
create table call_input_logs (
  call_id text primary key,
  organization_id text not null,
  log bytea not null, -- personal (erased with the call, content_days): what was said, without digits
  created_at timestamptz not null
);

-- What another worker goes on from when the one that conducts a call is lost (ADR 86). A row goes when its call ends.
-- Erasure: deleted when the call ends, at the latest after a day. Found for a person by call_id.
create table call_snapshots (
  call_id text primary key,
  organization_id text not null,
  -- JSON of the worker's own form, without numbers of cards. personal (erased with the row): what the agent and the caller were saying in a call in
  -- progress
  body text not null,
  taken_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
create index call_snapshots_by_age on call_snapshots (taken_at);

-- Which tools of a call were run, so that no other attempt runs one again (ADR 67). Removed a day later.
-- Erasure: deleted a day after it was run. Found for a person by call_id.
create table tool_calls (
  organization_id text not null,
  call_id text not null,
  -- Of the decision of the model.
  tool_call_id text collate "C" not null,
  name text not null, -- The name of the tool.
  -- Of the attempt that may send the request.
  run_id text not null,
  epoch bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  -- Null: not known.
  outcome text,
  result text, -- personal (erased with the row): what a tool returned in a call
  duration_ms integer,
  primary key (call_id, tool_call_id)
);
create index tool_calls_by_age on tool_calls (started_at);

-- Commands for the workers that conduct calls (ADR 89). A row is written by the request that gives the command and goes a day later.
-- Erasure: deleted a day after it was given. Found for a person by call_id.
create table call_commands (
  command_id text primary key,
  organization_id text not null,
  call_id text not null,
  job_id text not null,
  -- The order within a call.
  position bigint generated always as identity,
  type text not null,
  -- JSON of the request's fields. personal (erased with the row): what an operator had said or did in a call
  fields text not null,
  -- waiting: no worker has it. taken: the worker of `taken_epoch` may have performed it, so that no other one is given it. expired: not taken in
  -- time, and never to be performed.
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'performed', 'refused', 'expired')),
  taken_epoch bigint,
  refusal text, -- A code that says why the worker refused it.
  detail text, -- personal (erased with the row): why not
  -- JSON of what the command returns. personal (erased with the row): what it returned
  result text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  check (state in ('waiting', 'expired') = (taken_epoch is null)),
  check (state in ('performed', 'refused') = (ended_at is not null))
);
create index call_commands_open on call_commands (job_id, position) where state in ('waiting', 'taken');
create index call_commands_of_call on call_commands (call_id);
create index call_commands_by_age on call_commands (created_at);

-- Transfers of calls over lines of carriers: the leg to the other party, and what became of it (ADR 90).
create table call_transfers (
  transfer_id text primary key,
  organization_id text not null,
  call_id text not null,
  -- The tool call that asked for it; the transfer itself where an operator did. Once for each. personal (erased with the call, content_days): the
  -- tool call that asked for it
  key text not null,
  to_address text not null, -- personal (erased with the call, content_days): whom the call was handed to
  kind text not null check (kind in ('cold', 'warm')),
  announcement text, -- personal (erased with the call, content_days): what they heard
  provider text not null,
  account_sid text not null, -- The account at the carrier.
  -- The carrier's id of the leg; null: not known. personal (erased with the call, content_days): the carrier's id of the call to them
  carrier_call_id text,
  outcome text not null default 'ringing' check (outcome in ('ringing', 'connected', 'busy', 'no_answer', 'declined', 'failed', 'canceled')),
  begun_at timestamptz not null default clock_timestamp(),
  outcome_at timestamptz not null default clock_timestamp(),
  -- When the line of the call was sent to the other party; it is sent once.
  joined_at timestamptz,
  -- When the other party's leg was over.
  left_at timestamptz,
  -- The peer is asked to call the other party: there is no leg of ours.
  by_refer boolean not null default false,
  unique (call_id, key)
);
-- At a time a call is transferred once.
create unique index call_transfers_under_way on call_transfers (call_id) where outcome in ('ringing', 'connected');
create index call_transfers_due on call_transfers (begun_at) where outcome = 'ringing' or outcome = 'connected' and joined_at is null and left_at is null;

-- What was extracted from calls, once for a revision of the agent's extraction (ADR 104). Content of calls: erased with it.
create table call_extractions (
  organization_id text not null,
  call_id text not null,
  revision integer not null,
  status text not null check (status in ('ready', 'failed')),
  -- The run that wrote it: the same one writes once.
  run_id text not null,
  -- JSON: what the record shows next to ids, revision, status and time. personal (erased with the call, content_days): what was extracted from what
  -- was said
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (call_id, revision)
);

-- One row a call with the status `scheduled`: what its admission needs besides the call.
create table scheduled_calls (
  call_id text primary key,
  organization_id text not null,
  agent_id text not null,
  -- When it is checked: at the time that it was scheduled for, later where it waits or a process is checking it.
  check_at timestamptz not null,
  -- When it was first found to have no room.
  waiting_since timestamptz,
  consent boolean not null,
  -- The language that was asked for. personal (erased with the call, content_days): the language for the callee
  language text,
  traceparent text
);
create index scheduled_calls_due on scheduled_calls (check_at);
create index scheduled_calls_of_organization on scheduled_calls (organization_id, check_at);

-- What a media gateway calls its call: the same one told again is the same record.
create table inbound_calls (
  organization_id text not null,
  gateway_call_id text not null, -- personal (erased with the call, calls_days): the carrier's id of the call
  call_id text not null unique,
  -- Who routed an incoming call: deployment:<name> for a gateway token, hosted, or carrier:<provider> for a carrier's webhook. Calls routed before
  -- this column have the id of the gateway's key.
  router text not null default '',
  -- The gateway that took the line of a call that a carrier's webhook routed; null: none yet.
  taken_by text,
  primary key (organization_id, gateway_call_id, router)
);

-- RECORDINGS

-- Recordings that workers uploaded in one request.
create table recordings (
  call_id text primary key,
  organization_id text not null,
  format text not null check (format in ('wav', 'mp3', 'ogg', 'simulated')),
  duration_ms integer not null check (duration_ms >= 0),
  -- Hexadecimal, of the content. personal (erased with the call, recordings_days): digest of the voices
  sha256 text not null,
  content bytea not null, -- personal (erased with the call, recordings_days): the voices
  created_at timestamptz not null
);

-- Recordings that come in parts, and what they are when they are complete.
create table recording_uploads (
  call_id text primary key,
  organization_id text not null,
  -- Discarded: nothing of it is the recording of the call, and it takes no parts any more.
  state text not null default 'taking' check (state in ('taking', 'complete', 'ready', 'discarded')),
  -- Of the lease under which the first part came: a worker that lost it writes no more.
  epoch bigint not null,
  -- Of the parts together, from their completion on.
  parts integer,
  size_bytes integer,
  duration_ms integer,
  -- Hexadecimal: of the parts, and of the WAVE file that they are read as. personal (erased with the call, recordings_days): digest of the voices
  sha256 text,
  wave_sha256 text, -- personal (erased with the call, recordings_days): digest of the voices
  created_at timestamptz not null,
  touched_at timestamptz not null,
  ready_at timestamptz,
  -- How often finishing it was begun in its present state, and when it may be begun again.
  attempts integer not null default 0,
  retry_at timestamptz not null default now(),
  -- Whether parts behind the last one, with their bytes, still have to be deleted.
  leftover boolean not null default false,
  file_id text,
  file_format text check (file_format in ('ogg', 'wav')),
  file_bytes integer,
  file_sha256 text, -- personal (erased with the call, recordings_days): digest of the voices
  check (state in ('taking', 'discarded') or parts is not null and size_bytes is not null and duration_ms is not null and sha256 is not null and wave_sha256 is not null),
  check ((state = 'ready') = (ready_at is not null)),
  constraint recording_uploads_file check ((file_id is null) = (file_format is null) and (file_id is null) = (file_bytes is null) and (file_id is null) = (file_sha256 is null))
);
create index recording_uploads_unfinished on recording_uploads (state, retry_at) where state in ('taking', 'complete');
create index recording_uploads_leftover on recording_uploads (retry_at) where leftover and state in ('ready', 'discarded');
-- Those that can be read from their parts alone, because the store had no room for their file.
create index recording_uploads_unfiled on recording_uploads (retry_at) where state = 'ready' and file_id is null;

-- The parts of a recording. Their bytes are in the bucket RECORDINGS.
create table recording_parts (
  call_id text not null references recording_uploads(call_id) on delete cascade,
  part integer not null check (part > 0),
  organization_id text not null,
  size_bytes integer not null check (size_bytes > 0),
  sha256 text not null, -- personal (erased with the call, recordings_days): digest of the voices in the bucket RECORDINGS
  -- Null while the bytes may not be in the store yet.
  stored_at timestamptz,
  primary key (call_id, part)
);

-- Files that were made of the parts of a recording. Their bytes are in the bucket RECORDINGS.
create table recording_files (
  -- With the ending of its format: the last part of the object's name. personal (erased with the call, recordings_days): the last part of the name of
  -- an object with the voices in the bucket RECORDINGS
  file_id text primary key,
  call_id text not null references recording_uploads(call_id),
  organization_id text not null,
  -- Who makes it renews this; where it is over, someone else may begin another file, and this one is deleted unless it is the recording.
  leased_until timestamptz not null
);
create index recording_files_of_call on recording_files (call_id);

-- QUEUE AND WORKERS

-- One job for each call that is to be conducted.
create table jobs (
  job_id text primary key,
  organization_id text not null,
  call_id text not null unique,
  agent_id text not null,
  kind text not null check (kind in ('call', 'inbound')),
  -- queued: waits in its queue. leased: a worker holds it. done: never handed out again.
  state text not null default 'queued' check (state in ('queued', 'adoptable', 'leased', 'done')),
  available_at timestamptz not null,
  -- Fences writes: raised by every claim, and when a lease is taken away for good.
  epoch bigint not null default 0,
  worker_id text,
  lease_expires_at timestamptz,
  -- When the worker was allowed to call the carrier. From then on the job never goes back.
  permitted_at timestamptz,
  cancel_requested_at timestamptz,
  finished_at timestamptz,
  -- Priorities inside an organization: 0 goes before 1 (normal) before 2. Organizations still take turns whatever theirs is.
  priority smallint not null default 1 check (priority >= 0 and priority <= 2),
  -- What a worker must be able to do to be given the job.
  needs text[] not null default '{}',
  -- The declaration of the worker that holds the job: one whose slots are all taken does not claim, and is there all the same.
  declaration text,
  -- Which workers may claim a job: that of its number when the call was placed. It stands in the index before the priority, so that hosted workers do
  -- not walk over what an organization's own workers leave waiting.
  dialer text not null default 'hosted' check (dialer in ('hosted', 'own', 'platform')),
  -- The gateway that took the line of an outbound call; null: none did.
  line_taken_by text,
  -- SHA-256 of the token; it stays, so that a second use is told from an unknown token.
  adopt_token_hash bytea,
  adopt_before timestamptz,
  -- When its worker was lost; null: it has one, or had none yet.
  lost_at timestamptz,
  constraint jobs_adoptable check (state <> 'adoptable' or adopt_token_hash is not null and adopt_before is not null),
  check ((state = 'leased') = (lease_expires_at is not null))
) with (fillfactor = 70);
-- The time comes right after the organization: a look for due jobs never walks over those scheduled for later.
create index jobs_waiting on jobs (organization_id, dialer, priority, available_at, job_id) where state = 'queued';
create unique index jobs_by_adopt_token on jobs (adopt_token_hash) where adopt_token_hash is not null;
create index jobs_adoptable on jobs (adopt_before) where state = 'adoptable';
-- Chats that wait for a worker: they are in no queue.
create index jobs_chats on jobs (adopt_before) where state = 'adoptable' and needs @> array['carrier:chat'];
-- By id, so that heartbeats change no index.
create index jobs_leased on jobs (job_id) where state = 'leased';
-- What workers reported, so that a repeated report is answered as the first one was.
create table job_reports (
  job_id text not null,
  epoch bigint not null,
  seq bigint not null,
  organization_id text not null,
  call_status text not null,
  cancel_requested boolean not null,
  reported_at timestamptz not null
) partition by range (reported_at);
create unique index job_reports_ids on job_reports (job_id, epoch, seq, reported_at);
create table job_reports_stray partition of job_reports default;
create index job_reports_stray_age on job_reports_stray (reported_at);

-- The queues of organizations, which are served in turns. A row exists at least while its organization has a job waiting.
create table organization_queues (
  organization_id text primary key,
  last_served_at timestamptz not null default '-infinity'
);
create index organization_queues_by_service on organization_queues (last_served_at, organization_id);

-- Hosted workers that adopt calls of lines, and how many each conducts at most.
create table adopting_workers (
  worker_id text primary key,
  slots integer not null check (slots >= 0),
  heard_at timestamptz not null
) with (fillfactor = 50);

-- What workers declared they can do, one row a declaration (ADR 50). An empty organization_id stands for hosted workers.
create table worker_capabilities (
  organization_id text not null,
  kind text not null check (kind in ('call', 'simulation')),
  -- SHA-256 of the sorted list: lists are too long for an index.
  digest text not null,
  capabilities text[] not null, -- The sorted list.
  -- Written when it is a minute old.
  last_seen timestamptz not null,
  primary key (organization_id, kind, digest)
);

-- What the reapers of all replicas share (ADR 0043). One row: when a worker was last heard, and since when workers have been heard without a long
-- pause. It changes about once a second, never with each heartbeat, and no index covers what changes.
create table lease_watch (
  only_row boolean default true primary key check (only_row),
  heard_at timestamptz not null default '-infinity',
  heard_since timestamptz not null default '-infinity'
) with (fillfactor = 50);
insert into lease_watch default values;

-- One row for each lease that was reaped; those of the last minute are counted before another one is.
create table lease_reaps (
  reaped_at timestamptz not null,
  -- The bound of a minute is kept for the hosted workers and for each organization's own ones apart (ADR 0043). Empty: hosted workers.
  workers_of text not null default ''
);
create index lease_reaps_age on lease_reaps (reaped_at);

-- LIMITS, POLICY AND MONEY

-- The hot row of an organization, locked last by every admission: what caps are held against.
create table organization_controls (
  organization_id text primary key,
  -- Jobs that wait now.
  queued integer not null default 0 check (queued >= 0),
  -- Null: the configured default.
  queue_cap integer check (queue_cap >= 0),
  -- Raised by every write that takes room (admissions, approvals, new limits). Writes that only make room leave it: what was decided on an earlier
  -- state stands.
  revision bigint not null default 0,
  -- As auth says; null until the first admission asked.
  billing text check (billing in ('unmetered', 'prepaid')),
  -- Limits; null for none.
  live_calls_cap integer check (live_calls_cap >= 0),
  calls_per_minute integer check (calls_per_minute >= 0),
  calls_per_hour integer check (calls_per_hour >= 0),
  -- Micro-USD that the calls admitted on one day (UTC) may cost together.
  daily_spend_cap_micros bigint check (daily_spend_cap_micros >= 0),
  -- Admitted calls that are not over.
  live integer not null default 0 check (live >= 0),
  -- Admissions of the last minute by second and of the last hour by minute; velocity.rules.ts. Short, because a page then has room for more versions of the
  -- row, which is written several times for each call.
  recent text not null default '',
  -- What the calls admitted on `spend_day` cost, or may cost at most while they are not over.
  spend_day date not null default '2000-01-01',
  spend_micros bigint not null default 0 check (spend_micros >= 0),
  -- The wallet of a prepaid organization: the sum of its ledger, and how much of it calls that are not over hold.
  balance_micros bigint not null default 0 check (balance_micros >= 0),
  reserved_micros bigint not null default 0 check (reserved_micros >= 0),
  -- How many jobs left the queue since `drain_began`, and in the window before that one; what Retry-After is computed from.
  drain_began timestamptz not null default now(),
  drained integer not null default 0,
  drained_before integer not null default 0,
  -- When an operator last changed the limits; counts those changes.
  limits_revision integer not null default 0,
  limits_updated_at timestamptz not null default now(),
  -- The control epoch of the change of billing that the row has; 0: the organization always paid so.
  billing_epoch bigint not null default 0,
  constraint wallet_covers check (reserved_micros <= balance_micros)
);

-- Aborts the one statement of an admission, so that nothing of it remains. The reason travels as the message.
create function refuse_admission(reason text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'PA001', message = reason;
end
$$;

-- JSON of the class OutboundPolicy; an organization without a row has no rules of its own.
create table organization_policies (
  organization_id text primary key,
  body text not null, -- JSON of the class OutboundPolicy.
  revision integer not null default 1,
  updated_at timestamptz not null default now()
);

-- Numbers that an organization must not call.
-- Erasure: deleted when it is lifted; kept: the objection has to outlast everything else that is known of the person. Found for a person by
-- phone_number.
create table suppressions (
  organization_id text not null,
  -- E.164. personal (erased with the row): a phone number that must not be called
  phone_number text not null,
  reason text not null default '', -- personal (erased with the row): why
  created_at timestamptz not null default now(),
  primary key (organization_id, phone_number)
);

-- Every movement of a wallet. Holds are not movements: they stand on their calls.
-- Erasure: kept: it is append-only, as accounting data. Found for a person by call_id, message_id.
create table wallet_ledger (
  -- Grows with time.
  entry_id text primary key,
  organization_id text not null,
  kind text not null check (kind in ('top_up', 'charge')),
  -- Signed micro-USD.
  amount_micros bigint not null,
  -- The balance after it.
  balance_micros bigint not null check (balance_micros >= 0),
  call_id text, -- personal (kept): which call was paid
  -- The key that topped up; empty for charges. personal (kept): the key that topped up, and so its holder
  actor_key_id text not null default '',
  note text not null default '', -- personal (kept): what an operator or the customer wrote
  created_at timestamptz not null default clock_timestamp(),
  message_id text, -- personal (kept): which message was paid
  check (amount_micros <> 0 and (kind = 'top_up') = (amount_micros > 0))
);
create index wallet_ledger_of_organization on wallet_ledger (organization_id, entry_id);
create unique index wallet_ledger_charge on wallet_ledger (call_id) where kind = 'charge';
create unique index wallet_ledger_message_charge on wallet_ledger (message_id) where kind = 'charge';
-- Append-only also for the owner of the table, which may be the service itself.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'wallet_ledger is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger wallet_ledger_append_only before delete or update or truncate on wallet_ledger for each statement execute function refuse_ledger_change();
revoke update, delete, truncate on wallet_ledger from parley_telephony;

-- Top-ups as they were asked for. A pending one is in no balance and in no ledger.
-- Erasure: kept: as accounting data.
create table wallet_top_ups (
  -- Grows with time.
  top_up_id text primary key,
  organization_id text not null,
  amount_micros bigint not null check (amount_micros > 0),
  note text not null default '', -- personal (kept): what an operator or the customer wrote
  status text not null check (status in ('pending', 'confirmed')),
  requested_by text not null, -- personal (kept): the key that asked for it, and so its holder
  created_at timestamptz not null,
  confirmed_by text, -- personal (kept): the operator's key that confirmed it
  confirmed_at timestamptz,
  -- Its movement, and the balance after it.
  entry_id text unique,
  balance_micros bigint,
  check ((status = 'confirmed') = (confirmed_at is not null and confirmed_by is not null and entry_id is not null and balance_micros is not null))
);
create index wallet_top_ups_of_organization on wallet_top_ups (organization_id, top_up_id);

-- Sums of calls that are over, by the hour (UTC) in which they ended, written in the transaction that ends a call. No row is of a person, and none is
-- taken away when a call is erased. carrier and ended_reason are empty where a call has none. turn_latencies is a histogram: how many turns fell into
-- each bucket.
create table call_rollups (
  organization_id text not null,
  hour timestamptz not null,
  project_id text not null,
  agent_id text not null,
  direction text not null,
  channel text not null, -- As in calls.
  carrier text not null, -- As in calls.
  status text not null,
  ended_reason text not null, -- As in calls.
  calls bigint not null check (calls >= 0),
  answered bigint not null check (answered >= 0),
  duration_seconds bigint not null check (duration_seconds >= 0),
  cost_micros bigint not null check (cost_micros >= 0),
  turn_latencies bigint[] not null,
  primary key (organization_id, hour, project_id, agent_id, direction, channel, carrier, status, ended_reason)
);

-- NUMBERS, CARRIERS AND LINES

-- Phone numbers of organizations.
-- Erasure: kept: calls name it, also when it is released. Found for a person by phone_number.
create table numbers (
  number_id text primary key,
  organization_id text not null,
  project_id text not null,
  -- E.164. personal (kept): a phone number of the customer
  phone_number text not null,
  provider text not null,
  inbound_agent_id text,
  -- Counts the writes; the entity tag.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set when the number is given back: another organization may hold it from then on.
  released_at timestamptz,
  simulator_pace text not null default 'instant' check (simulator_pace in ('instant', 'real_time')),
  -- Several organizations may claim a number until one of them proves that it holds it (ADR 48). Who dials and answers it: the installation's
  -- workers, or the organization's own.
  verified_at timestamptz,
  dialer text not null default 'hosted' check (dialer in ('hosted', 'own')),
  sip_trunk_id text,
  -- The account that its calls and messages use, whatever accounts are stored later. Null: the organization's only one at the carrier; of several, none.
  carrier_credential_id text
);
create index numbers_of_project on numbers (organization_id, project_id, number_id);
create unique index numbers_claimed on numbers (phone_number, organization_id) where released_at is null;
create unique index numbers_verified on numbers (phone_number) where released_at is null and verified_at is not null;
create index numbers_of_sip_trunk on numbers (sip_trunk_id, organization_id) where sip_trunk_id is not null and released_at is null;

-- When wrong PINs of workflow drafts were given at a number within the last hour: five at most.
-- Erasure: kept: at most five times of each number.
create table phone_pin_attempts (
  organization_id text not null,
  phone_number text not null, -- The organization's own number.
  attempts timestamptz[] not null,
  primary key (organization_id, phone_number)
);

-- Accounts at carriers. A carrier's webhook is believed by its signature under the account's token, sealed by the vault.
-- Erasure: kept: credentials are not removed yet.
create table carrier_credentials (
  carrier_credential_id text primary key,
  organization_id text not null,
  provider text not null,
  account_sid text not null, -- personal (kept): the account of the customer at a carrier
  auth_token bytea not null, -- personal (kept): its token, sealed
  -- For finding what a rotation of the vault's keys has still to do.
  vault_key_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (organization_id, provider, account_sid)
);
-- A webhook names its account alone. Two organizations may name one account: whose token signed it is meant.
create index carrier_credentials_of_account on carrier_credentials (provider, account_sid);

-- Lines that the platform places and takes itself, through the organization's account at a carrier; a worker adopts their calls (ADR 30).
create table carrier_lines (
  call_id text primary key,
  organization_id text not null,
  job_id text not null unique,
  provider text not null,
  account_sid text not null, -- The account at the carrier.
  -- The carrier's own id; null: not known yet. personal (erased with the call, calls_days): the carrier's id of the call
  carrier_call_id text,
  -- dialing: the request to the carrier may be on its way.
  state text not null check (state in ('dialing', 'ringing', 'answered', 'closed')),
  -- A slot of the workers is kept for it while its job is adoptable.
  reserved boolean not null,
  opened_at timestamptz not null default clock_timestamp(),
  -- When it stops ringing at the latest.
  ring_until timestamptz not null,
  answered_at timestamptz,
  -- When the carrier is asked for what it has not reported.
  check_at timestamptz not null,
  -- Until then a slot of another worker is kept for the call of a worker that stops.
  hand_over_until timestamptz
) with (fillfactor = 70);
create unique index carrier_lines_of_carrier on carrier_lines (carrier_call_id, organization_id, provider, account_sid);
create index carrier_lines_open on carrier_lines (check_at) where state <> 'closed';
create index carrier_lines_by_age on carrier_lines (opened_at);
-- A call by the channel that Asterisk reports.
create index carrier_lines_of_sip on carrier_lines (carrier_call_id) where provider = 'sip_trunk';

-- SIP peers by which numbers of the provider sip_trunk call and are called (ADR 93).
-- Erasure: kept: until the customer deletes it.
create table sip_trunks (
  sip_trunk_id text primary key,
  organization_id text not null,
  name text not null, -- personal (kept): a name that the customer chose
  host text not null, -- personal (kept): a host of the customer or its carrier
  port integer not null check (port >= 1 and port <= 65535),
  transport text not null check (transport in ('udp', 'tcp')),
  -- Null: the peer asks for none. personal (kept): the account of the customer at a SIP peer
  username text,
  -- Sealed; as long as there is a username. personal (kept): its password, sealed
  password bytea,
  vault_key_id text,
  codecs text[] not null, -- In the order of preference.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A cold transfer may be handed to the SIP peer by REFER, where its trunk says so (ADR 121).
  cold_transfers text not null default 'bridge' check (cold_transfers in ('bridge', 'refer')),
  -- ISO 3166: numbers of incoming calls are read as dialed there; null: as sent.
  numbers_country text,
  trusted boolean not null default false, -- Whether the peer may assert who calls (P-Asserted-Identity).
  check ((username is null) = (password is null))
);
create index sip_trunks_of_organization on sip_trunks (organization_id, sip_trunk_id);

-- Which process handles the events of an Asterisk: one at a time (ADR 92).
create table sip_controllers (
  application text primary key, -- The name of the application in Asterisk.
  holder text not null, -- The process.
  held_until timestamptz not null
) with (fillfactor = 50);

-- CAMPAIGNS

-- Campaigns with their counts.
-- Erasure: kept: it is the account of what was called; it names no contact. Found for a person by campaign_contacts.
create table campaigns (
  campaign_id text primary key,
  organization_id text not null,
  project_id text not null,
  agent_id text not null,
  name text not null, -- personal (kept): a name that the customer chose
  from_number text not null, -- personal (kept): a phone number of the customer
  -- JSON: window, max_concurrent, calls_per_minute, retry, pause_at_failure_percent, metadata.
  settings text not null,
  ends_at timestamptz,
  status text not null check (status in ('draft', 'running', 'paused', 'completed', 'canceled')),
  paused_reason text, -- A code of the contract.
  end_reason text, -- A code of the contract.
  waits_for text, -- The limit that the campaign waits for.
  -- Counts the changes of what a client may write, and of the status; what If-Match is held against.
  revision integer not null default 1,
  -- Counts all changes.
  progress bigint not null default 0,
  -- Counts its events.
  resource_seq integer not null default 0,
  contacts integer not null default 0 check (contacts >= 0),
  pending integer not null default 0 check (pending >= 0),
  live integer not null default 0 check (live >= 0),
  waiting integer not null default 0 check (waiting >= 0),
  in_review integer not null default 0 check (in_review >= 0),
  completed integer not null default 0 check (completed >= 0),
  attempts integer not null default 0 check (attempts >= 0),
  -- JSON: contacts by outcome.
  outcomes text not null default '{}',
  -- Recent placements by second and minute; velocity.rules.ts.
  recent text not null default '',
  -- The last 50 attempts, oldest first: f for a failed one, . for any other.
  last_attempts text not null default '',
  -- When the runner is to look at it again; null: never.
  next_run_at timestamptz,
  launched_at timestamptz,
  paused_at timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (contacts = (pending + live + waiting + in_review + completed))
);
create index campaigns_of_organization on campaigns (organization_id, campaign_id);
create index campaigns_to_run on campaigns (next_run_at) where next_run_at is not null;
-- Lists of campaigns by agent, status and project, newest first.
create index campaigns_of_agent on campaigns (agent_id, organization_id, campaign_id);
create index campaigns_by_status on campaigns (status, organization_id, campaign_id);
create index campaigns_of_project on campaigns (project_id, organization_id, campaign_id);

-- Who is called by a campaign.
-- Erasure: erased with its number and by calls_days of the organization's retention once the campaign is over. Found for a person by phone_number,
-- last_call_id.
create table campaign_contacts (
  contact_id text primary key,
  organization_id text not null,
  campaign_id text not null,
  -- E.164. personal (erased with the contact): the phone number of the contact
  phone_number text not null,
  -- JSON objects as they were sent. personal (erased with the contact): what the customer knows of the contact
  variables text not null default '{}',
  metadata text not null default '{}', -- personal (erased with the contact): what the customer noted with the contact
  consent boolean not null default false,
  time_zone text, -- IANA, of quiet hours; null: those of the number.
  status text not null default 'pending' check (status in ('pending', 'active', 'completed')),
  outcome text, -- A code of the contract.
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz,
  last_call_id text,
  created_at timestamptz not null,
  completed_at timestamptz,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'completed') = (outcome is not null))
);
-- Nobody stands in a campaign twice.
create unique index campaign_contacts_once on campaign_contacts (organization_id, campaign_id, phone_number);
create index campaign_contacts_of_campaign on campaign_contacts (organization_id, campaign_id, contact_id);
create index campaign_contacts_due on campaign_contacts (organization_id, campaign_id, next_attempt_at, contact_id) where status = 'pending';

-- Attempts to reach a contact.
create table campaign_attempts (
  -- Also what the admission of its call is idempotent by.
  attempt_id text primary key,
  organization_id text not null,
  campaign_id text not null,
  contact_id text not null,
  status text not null check (status in ('placing', 'waiting', 'placed', 'review', 'approved', 'over')),
  -- Since when it is being placed, or from when on it may be placed again.
  ready_at timestamptz not null,
  waits_for text, -- The limit that it waits for.
  call_id text,
  outcome text, -- A code of the contract.
  withdrawn boolean not null default false,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index campaign_attempts_of_campaign on campaign_attempts (organization_id, campaign_id, attempt_id);
create index campaign_attempts_open on campaign_attempts (organization_id, campaign_id, ready_at) where status <> 'over';
-- A contact has one open attempt at most.
create unique index campaign_attempts_one on campaign_attempts (contact_id) where status <> 'over';
create index campaign_attempts_calls on campaign_attempts (campaign_id, organization_id, call_id) where call_id is not null;

-- Uploads of contacts.
-- Erasure: erased with its number and by calls_days of the organization's retention once the campaign is over.
create table campaign_imports (
  import_id text primary key,
  organization_id text not null,
  campaign_id text not null,
  format text not null check (format in ('json', 'csv')),
  status text not null check (status in ('running', 'completed')),
  -- Pieces taken so far.
  pieces integer not null,
  -- JSON: the columns of a CSV upload. personal (erased with the contact): names of the columns of an import, which may say what is known of people
  header text not null default '[]',
  rows integer not null default 0,
  added integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index campaign_imports_of_campaign on campaign_imports (organization_id, campaign_id, import_id);

-- Rows of an upload that were rejected.
-- Erasure: erased with its number and by calls_days of the organization's retention once the campaign is over. Found for a person by the campaign of
-- import_id.
create table campaign_import_faults (
  import_id text not null,
  line integer not null,
  organization_id text not null,
  reason text not null, -- personal (erased with the contact): what is wrong with a row, which may quote it
  primary key (import_id, line)
);

-- The keys that launched or resumed a campaign: none of them approves its calls.
-- Erasure: kept: as long as the campaign.
create table campaign_starts (
  organization_id text not null,
  campaign_id text not null,
  key_id text not null, -- personal (kept): the key that launched or resumed the campaign, and so its holder
  started_at timestamptz not null default now(),
  primary key (organization_id, campaign_id, key_id)
);

-- MESSAGES

-- Messages: sent by a carrier on behalf of an agent, or received at one of our numbers.
-- Erasure: erased with its number and by messages_days of the organization's retention; the account of the message stays. Found for a person by
-- from_number, to_number, message_id.
create table messages (
  -- Ids grow with time, so that (organization_id, message_id) descending is newest first.
  message_id text primary key,
  organization_id text not null,
  project_id text not null,
  -- Empty: an incoming message to a number without an agent.
  agent_id text not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  from_number text not null, -- personal (erased with the message): the phone number of the sender
  to_number text not null, -- personal (erased with the message): the phone number of the recipient
  status text not null check (status in ('queued', 'sent', 'delivered', 'undelivered', 'failed', 'received')),
  -- Counts the events of this message; every write raises it together with the events it appends.
  resource_seq integer not null check (resource_seq >= 0),
  body text not null, -- personal (erased with the message): what was written
  segment_count integer not null check (segment_count > 0),
  purpose text, -- What the customer declared it is for.
  campaign_id text,
  template_id text,
  language text,
  provider text not null,
  -- The carrier's own name for it; null until it took the message. personal (erased with the message): the carrier's id of the message
  carrier_message_id text,
  policy_verdict text not null check (policy_verdict in ('allowed', 'blocked', 'review')),
  policy_rules text[] not null default '{}', -- Ids of the rules that decided.
  policy_notes text, -- personal (erased with the message): why the policy held it
  error_code text, -- The carrier's code.
  error_detail text, -- personal (erased with the message): what the carrier said of it
  -- What the agent's translation policy asks for; null for nothing. The text waits for its job.
  translation_status text check (translation_status in ('pending', 'ready', 'failed')),
  translation_target text,
  translation_body text, -- personal (erased with the message): what was written, translated
  translation_provider text,
  translation_reason text, -- Why there is no translation.
  -- JSON object as it was sent. personal (erased with the message): what the customer noted with the message
  metadata text not null,
  -- Micro-USD.
  cost_micros bigint not null default 0 check (cost_micros >= 0),
  -- As on calls: what is held for it until it is sent, and the day in whose spend that counts.
  hold_micros bigint check (hold_micros >= 0),
  hold_day date,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  undelivered_at timestamptz,
  failed_at timestamptz,
  received_at timestamptz,
  updated_at timestamptz not null,
  hold_reserved boolean not null default false,
  erased_at timestamptz,
  check ((translation_status is null) = (translation_target is null))
);
create index messages_of_organization on messages (organization_id, message_id);
create index messages_of_agent on messages (organization_id, agent_id, message_id);
-- A carrier that tells of one message twice tells of one message.
create unique index messages_of_carrier on messages (organization_id, provider, carrier_message_id, direction) where carrier_message_id is not null;
create index messages_of_project on messages (project_id, organization_id, message_id);
create index messages_from on messages (from_number, organization_id, message_id);
create index messages_to on messages (to_number, organization_id, message_id);
-- Lists of messages by status, newest or oldest first.
create index messages_by_status on messages (status, organization_id, message_id);
-- Lists of messages by direction, newest or oldest first.
create index messages_by_direction on messages (direction, organization_id, message_id);

-- What is still to be done about a message that goes out; the row is gone when nothing is.
create table message_jobs (
  message_id text primary key,
  organization_id text not null,
  agent_id text not null,
  -- queued: to be sent. sending: a process was permitted to call the carrier. unknown: nobody knows whether the carrier took it. reporting: the
  -- simulator owes a delivery report.
  state text not null default 'queued' check (state in ('queued', 'sending', 'unknown', 'reporting')),
  -- When it may be sent; when the permit runs out; when it is given up; when the report is due.
  due_at timestamptz not null,
  -- Counts the permits.
  attempts integer not null default 0,
  -- The confirmation of an opt-out is the one message that is sent to a suppressed number.
  despite_suppression boolean not null default false
);
create index message_jobs_queued on message_jobs (organization_id, due_at, message_id) where state = 'queued';
create index message_jobs_due on message_jobs (due_at) where state <> 'queued';

-- Replies to incoming messages (ADR 124): one row for each message that is to be answered, kept for a day.
-- Erasure: deleted a day after the message came. Found for a person by message_id.
create table message_replies (
  message_id text primary key,
  organization_id text not null,
  -- Empty: the number has no agent.
  agent_id text not null,
  -- SHA-256 of the organization's number and the sender's: replies of one pair are sent one after another, and counted. personal (erased with the
  -- row): SHA-256 of the organization's number and the sender's
  pair bytea not null,
  -- stop, start and help are confirmed by the platform; agent: the agent answers.
  kind text not null check (kind in ('stop', 'start', 'help', 'agent')),
  -- The language of the agent; empty for none.
  language text not null,
  -- When it is tried (again). A process that tries moves this to the end of its lease. Null: nothing is left to do.
  due_at timestamptz default clock_timestamp(),
  attempts integer not null default 0,
  -- The chat in which the agent answers.
  call_id text,
  -- How often a chat refused the message: each time it is offered as a new turn.
  refusals integer not null default 0,
  created_at timestamptz not null default clock_timestamp()
);
create index message_replies_due on message_replies (due_at) where due_at is not null;
create index message_replies_of_pair on message_replies (organization_id, pair, message_id);
create index message_replies_old on message_replies (created_at);

-- The person whose messages a chat answers (ADR 124): the call of a chat has no numbers, so an erasure of a number finds its chats here. A row exists
-- as long as the call is not erased.
create table message_chats (
  call_id text primary key,
  organization_id text not null,
  -- SHA-256 of the organization's id, a space and the phone number. personal (erased with the call, calls_days): SHA-256 of the organization's id and
  -- the phone number of who wrote to the agent
  person bytea not null
);
create index message_chats_of_person on message_chats (organization_id, person);

-- Texts that wait to be translated; the row is gone when they are, or cannot be.
create table translation_jobs (
  -- A call or a message.
  resource_id text primary key,
  organization_id text not null,
  kind text not null check (kind in ('call', 'message')),
  target_language text not null,
  attempts integer not null default 0,
  -- When it may be tried (again). A process that tries moves this to the end of its lease.
  due_at timestamptz not null default now()
);
create index translation_jobs_due on translation_jobs (due_at);

-- DEMOS

-- Public demos of agents (ADR 119): one link each, with its limits and what was used of them.
create table demos (
  organization_id text not null,
  agent_id text not null,
  -- SHA-256 of the token, which is stored nowhere.
  token_hash bytea not null unique,
  kinds text[] not null, -- Of conversations: call, chat.
  expires_at timestamptz not null,
  daily_limit integer not null,
  address_limit integer not null,
  spend_cap_micros bigint not null,
  -- The cost of its conversations that are over and were counted.
  spent_micros bigint not null default 0,
  -- Conversations of one day (UTC).
  day date not null default (clock_timestamp() at time zone 'utc')::date::date,
  conversations integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, agent_id)
);

-- Conversations whose cost was not counted yet, each with the most that it may cost.
create table demo_conversations (
  organization_id text not null,
  call_id text not null,
  agent_id text not null,
  hold_micros bigint not null,
  primary key (organization_id, call_id),
  foreign key (organization_id, agent_id) references demos(organization_id, agent_id) on delete cascade
);
create index demo_conversations_of_demo on demo_conversations (organization_id, agent_id);

-- Conversations of the day for each address.
-- Erasure: deleted at the first conversation of a later day, and with its demo.
create table demo_addresses (
  organization_id text not null,
  agent_id text not null,
  -- HMAC of the address with the token as its key, which the platform does not keep. personal (erased with the row): HMAC of the address of a
  -- visitor, whose key is the token of the link, which is not stored
  address_hash bytea not null,
  day date not null,
  conversations integer not null,
  primary key (organization_id, agent_id, address_hash),
  foreign key (organization_id, agent_id) references demos(organization_id, agent_id) on delete cascade
);

-- ERASURE AND RETENTION

-- Erasures of a telephone number.
-- Erasure: erased when the erasure ends; the record of the erasure stays, without the number. Found for a person by phone_number.
create table erasures (
  erasure_id text primary key,
  organization_id text not null,
  -- Null once it is over: the erasure itself says nothing of the person any more. personal (erased when the erasure ends): the phone number that is
  -- being erased
  phone_number text,
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  calls integer not null default 0,
  messages integer not null default 0,
  contacts integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- How often it was begun without getting on, and when it may be begun again.
  attempts integer not null default 0,
  retry_at timestamptz not null default clock_timestamp(),
  -- Up to which id it has examined calls, and the calls with the number that were not over then.
  calls_walked text collate "C" not null default '',
  messages_walked text collate "C" not null default '', -- As calls_walked.
  calls_left text[] not null default '{}', -- Calls with the number that were not over when they were examined.
  messages_left text[] not null default '{}', -- Messages with the number that were not over when they were examined.
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'running') = (phone_number is not null))
);
create index erasures_running on erasures (retry_at) where status = 'running';
create index erasures_of_organization on erasures (organization_id, erasure_id);
create index erasures_failed on erasures (finished_at) where status = 'failed';

-- What was erased here and is still in the event log and in deliveries of webhooks.
create table erased_copies (
  resource_id text primary key,
  organization_id text not null,
  -- The erasure that waits for it; null for one call, and for retention.
  erasure_id text,
  -- Its events have ids between these, both included.
  first_event_id text not null,
  last_event_id text not null,
  -- How many of them may still be on their way to the log.
  events integer not null,
  erased_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  retry_at timestamptz not null default clock_timestamp()
);
create index erased_copies_due on erased_copies (retry_at);
create index erased_copies_of_erasure on erased_copies (erasure_id) where erasure_id is not null;
create index erased_copies_of_organization on erased_copies (organization_id, erased_at);

-- How long an organization keeps what it has of people, in days from the end of a call or of a message; null: until it is erased by request.
create table organization_retention (
  organization_id text primary key,
  calls_days integer check (calls_days > 0),
  content_days integer check (content_days > 0),
  recordings_days integer check (recordings_days > 0),
  messages_days integer check (messages_days > 0),
  -- Counts its changes, from 1.
  revision integer not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  -- When its rules are applied again.
  due_at timestamptz not null default clock_timestamp(),
  -- Since when the retention rules of an organization have failed, for the metric parley_retention_failing_seconds: retention that stops unnoticed
  -- keeps data longer than promised. Erasures that were abandoned are counted for a week, for the metric parley_failed_erasures.
  failing_since timestamptz
);
create index organization_retention_due on organization_retention (due_at);

-- Up to which id a rule was applied.
create table retention_positions (
  organization_id text not null,
  rule text not null check (rule in ('calls', 'content', 'recordings', 'messages')),
  position text collate "C" not null, -- The last id that was examined.
  primary key (organization_id, rule)
);

-- What a rule passed over because it was not over, or not for long enough: such as a call that was scheduled long ahead.
create table retention_left (
  organization_id text not null,
  rule text not null, -- As in retention_positions.
  resource_id text not null,
  primary key (organization_id, rule, resource_id)
);

-- BACKGROUND WORK

-- How far background work over every organization is.
create table background_cursors (
  name text primary key, -- Of the work.
  position text not null -- The last epoch that was handled.
);
insert into background_cursors (name, position) values ('billing', '0');

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/idempotency.sql
\ir ../../libs/outbox/sql/rings.sql
\ir ../../libs/outbox/sql/outbox.sql
\ir ../../libs/service/sql/oldest-snapshot.sql

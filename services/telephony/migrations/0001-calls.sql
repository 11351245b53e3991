-- Calls, the queue and numbers. Everything that is compared (leases, deadlines, turns) is compared by this database's clock.

create table numbers (
  number_id text primary key,
  organization_id text not null,
  project_id text not null,
  -- E.164.
  phone_number text not null,
  provider text not null check (provider in ('simulator', 'sip_trunk', 'twilio')),
  inbound_agent_id text,
  -- Counts the writes; the entity tag.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set when the number is given back: another organization may hold it from then on.
  released_at timestamptz
);
create unique index numbers_live on numbers (phone_number) where released_at is null;
create index numbers_of_project on numbers (organization_id, project_id, number_id);

create table calls (
  -- Ids grow with time, so that (organization_id, call_id) descending is newest first.
  call_id text primary key,
  organization_id text not null,
  project_id text not null,
  agent_id text not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  from_number text not null,
  to_number text not null,
  status text not null check (status in
    ('queued', 'dialing', 'answered', 'ended', 'completed', 'failed', 'canceled', 'policy_blocked', 'needs_review')),
  -- Counts the events of this call; every write raises it together with the events it appends.
  resource_seq integer not null check (resource_seq > 0),
  ended_reason text,
  reason_detail text,
  -- What outbound policy said, and the ids of the rules that decided.
  policy_verdict text not null check (policy_verdict in ('allowed', 'blocked', 'review')),
  policy_rules text[] not null default '{}',
  -- What the call runs on, pinned at admission. Version 0: compiled for this call alone.
  mode text not null,
  publication_version integer not null,
  publication_sha256 text not null,
  -- JSON of the class CallTuning.
  tuning text not null,
  language text not null,
  recording_enabled boolean not null,
  cost_micros_per_minute bigint not null check (cost_micros_per_minute >= 0),
  classification text,
  classification_detail text,
  -- JSON objects as they were sent.
  variables text not null,
  metadata text not null,
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
  cost_micros bigint not null default 0 check (cost_micros >= 0)
);
create index calls_of_organization on calls (organization_id, call_id);
create index calls_of_agent on calls (organization_id, agent_id, call_id);

-- One job a call that is to be dialled.
create table jobs (
  job_id text primary key,
  organization_id text not null,
  call_id text not null unique,
  agent_id text not null,
  kind text not null check (kind in ('call')),
  -- queued: waits in its lane. leased: a worker holds it. done: never handed out again.
  state text not null default 'queued' check (state in ('queued', 'leased', 'done')),
  available_at timestamptz not null,
  -- Fences writes: raised by every claim, and when a lease is taken away for good.
  epoch bigint not null default 0,
  worker_id text,
  lease_expires_at timestamptz,
  -- When the worker was allowed to call the carrier. From then on the job never goes back.
  permitted_at timestamptz,
  cancel_requested_at timestamptz,
  finished_at timestamptz,
  check ((state = 'leased') = (lease_expires_at is not null))
);
-- The time comes right after the organization: a look for due jobs never walks over those scheduled for later.
create index jobs_waiting on jobs (organization_id, available_at, job_id) where state = 'queued';
create index jobs_leased on jobs (lease_expires_at) where state = 'leased';

-- What workers reported, so that a repeated report is answered as the first one was.
create table job_reports (
  job_id text not null,
  epoch bigint not null,
  seq bigint not null,
  organization_id text not null,
  call_status text not null,
  cancel_requested boolean not null,
  reported_at timestamptz not null,
  primary key (job_id, epoch, seq)
);

-- The lanes that take turns at the queue. A lane exists at least while its organization has a job waiting; idle ones are
-- pruned. Claims lock a lane; admissions never do (they hold a shared advisory lock against the pruning).
create table lanes (
  organization_id text primary key,
  last_served_at timestamptz not null default '-infinity'
);
create index lanes_by_turn on lanes (last_served_at, organization_id);

-- The hot row of an organization, locked last by every admission: what caps are held against.
create table organization_controls (
  organization_id text primary key,
  -- Jobs that wait now.
  queued integer not null default 0 check (queued >= 0),
  -- Null: the configured default.
  queue_cap integer check (queue_cap >= 0)
);

create table transcripts (
  call_id text primary key,
  organization_id text not null,
  -- JSON of the class Transcript.
  body text not null,
  created_at timestamptz not null
);

-- Every event of a call as it was published; the outbox forgets, this does not.
create table call_events (
  call_id text not null,
  resource_seq integer not null,
  organization_id text not null,
  event_id text not null,
  type text not null,
  payload text not null,
  created_at timestamptz not null,
  primary key (call_id, resource_seq)
);

-- Aborts the one statement of an admission, so that nothing of it remains. The reason travels as the message.
create function refuse_admission(reason text) returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'PA001', message = reason;
end
$$;

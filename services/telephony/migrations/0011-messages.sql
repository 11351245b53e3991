-- Messages: sent by a carrier on behalf of an agent, or received at one of our numbers.
create table messages (
  -- Ids grow with time, so that (organization_id, message_id) descending is newest first.
  message_id text primary key,
  organization_id text not null,
  project_id text not null,
  -- Empty: an incoming message to a number without an agent.
  agent_id text not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  from_number text not null,
  to_number text not null,
  status text not null check (status in ('queued', 'sent', 'delivered', 'undelivered', 'failed', 'received')),
  -- Counts the events of this message; every write raises it together with the events it appends.
  resource_seq integer not null check (resource_seq >= 0),
  body text not null,
  segment_count integer not null check (segment_count > 0),
  purpose text,
  campaign_id text,
  template_id text,
  language text,
  provider text not null check (provider in ('simulator', 'twilio')),
  -- The carrier's own name for it; null until it took the message.
  carrier_message_id text,
  policy_verdict text not null check (policy_verdict in ('allowed', 'blocked', 'review')),
  policy_rules text[] not null default '{}',
  policy_notes text,
  error_code text,
  error_detail text,
  -- What the agent's translation policy asks for; null for nothing. The text waits for its job.
  translation_status text check (translation_status in ('pending', 'ready', 'failed')),
  translation_target text,
  translation_body text,
  translation_provider text,
  translation_reason text,
  -- JSON object as it was sent.
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
  check ((translation_status is null) = (translation_target is null))
);
create index messages_of_organization on messages (organization_id, message_id);
create index messages_of_agent on messages (organization_id, agent_id, message_id);
-- A carrier that tells of one message twice tells of one message.
create unique index messages_of_carrier on messages (organization_id, provider, carrier_message_id, direction)
  where carrier_message_id is not null;

-- What is still to be done about a message that goes out; the row is gone when nothing is.
create table message_jobs (
  message_id text primary key,
  organization_id text not null,
  agent_id text not null,
  -- queued: to be sent. sending: a process was permitted to call the carrier. unknown: nobody knows whether the carrier took it.
  -- reporting: the simulator owes a delivery report.
  state text not null default 'queued' check (state in ('queued', 'sending', 'unknown', 'reporting')),
  -- When it may be sent; when the permit runs out; when it is given up; when the report is due.
  due_at timestamptz not null,
  -- Counts the permits.
  attempts integer not null default 0
);
create index message_jobs_queued on message_jobs (organization_id, due_at, message_id) where state = 'queued';
create index message_jobs_due on message_jobs (due_at) where state <> 'queued';

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

-- A transcript in the language of the agent's translation policy.
create table transcript_translations (
  call_id text primary key,
  organization_id text not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  target_language text not null,
  -- JSON: one text a turn.
  texts text not null default '[]',
  provider text,
  reason text,
  updated_at timestamptz not null
);

alter table wallet_ledger add column message_id text;
create unique index wallet_ledger_message_charge on wallet_ledger (message_id) where kind = 'charge';

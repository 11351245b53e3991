-- Retention and erasure (ADR 69). An erased call or message stays as the account of what it cost; nothing of a person is left in it.
alter table calls add column erased_at timestamptz;
alter table messages add column erased_at timestamptz;

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
  due_at timestamptz not null default clock_timestamp()
);
create index organization_retention_due on organization_retention (due_at);

-- Up to which id a rule was applied.
create table retention_positions (
  organization_id text not null,
  rule text not null check (rule in ('calls', 'content', 'recordings', 'messages')),
  position text collate "C" not null,
  primary key (organization_id, rule)
);

-- What a rule passed over because it was not over, or not for long enough: such as a call that was booked long ahead.
create table retention_left (
  organization_id text not null,
  rule text not null,
  resource_id text not null,
  primary key (organization_id, rule, resource_id)
);

-- Erasures of a telephone number.
create table erasures (
  erasure_id text primary key,
  organization_id text not null,
  -- Null once it is over: the erasure itself says nothing of the person any more.
  phone_number text,
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  calls integer not null default 0,
  messages integer not null default 0,
  contacts integer not null default 0,
  -- Up to which id it has looked.
  calls_position text collate "C" not null default '',
  messages_position text collate "C" not null default '',
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- How often it was begun without getting on, and when it may be begun again.
  attempts integer not null default 0,
  retry_at timestamptz not null default clock_timestamp(),
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'running') = (phone_number is not null))
);
create index erasures_running on erasures (retry_at) where status = 'running';
create index erasures_of_organization on erasures (organization_id, erasure_id);

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

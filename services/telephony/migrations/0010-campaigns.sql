-- Campaigns. Every change of a campaign's contacts and attempts is made under its row's lock, so that its counters are exact
-- and a read counts nothing.

create table campaigns (
  campaign_id text primary key,
  organization_id text not null,
  project_id text not null,
  agent_id text not null,
  name text not null,
  from_number text not null,
  -- JSON: window, max_concurrent, calls_per_minute, retry, pause_at_failure_percent, metadata.
  settings text not null,
  ends_at timestamptz,
  status text not null check (status in ('draft', 'running', 'paused', 'completed', 'canceled')),
  paused_reason text,
  end_reason text,
  waits_for text,
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
  -- Placements of late; domain/velocity.ts.
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
  check (contacts = pending + live + waiting + in_review + completed)
);
create index campaigns_of_organization on campaigns (organization_id, campaign_id);
create index campaigns_to_run on campaigns (next_run_at) where next_run_at is not null;

create table campaign_contacts (
  contact_id text primary key,
  organization_id text not null,
  campaign_id text not null,
  -- E.164.
  phone_number text not null,
  -- JSON objects as they were sent.
  variables text not null default '{}',
  metadata text not null default '{}',
  consent boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'active', 'completed')),
  outcome text,
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
create index campaign_contacts_due on campaign_contacts (organization_id, campaign_id, next_attempt_at, contact_id)
  where status = 'pending';

create table campaign_attempts (
  -- Also what the admission of its call is idempotent by.
  attempt_id text primary key,
  organization_id text not null,
  campaign_id text not null,
  contact_id text not null,
  status text not null check (status in ('placing', 'waiting', 'placed', 'review', 'approved', 'over')),
  -- Since when it is being placed, or from when on it may be placed again.
  ready_at timestamptz not null,
  waits_for text,
  call_id text,
  outcome text,
  withdrawn boolean not null default false,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index campaign_attempts_of_campaign on campaign_attempts (organization_id, campaign_id, attempt_id);
create index campaign_attempts_open on campaign_attempts (organization_id, campaign_id, ready_at) where status <> 'over';
-- A contact has one open attempt at most.
create unique index campaign_attempts_one on campaign_attempts (contact_id) where status <> 'over';

create table campaign_imports (
  import_id text primary key,
  organization_id text not null,
  campaign_id text not null,
  format text not null check (format in ('json', 'csv')),
  status text not null check (status in ('running', 'completed')),
  -- Pieces taken so far.
  pieces integer not null,
  -- JSON: the columns of a CSV upload.
  header text not null default '[]',
  rows integer not null default 0,
  added integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index campaign_imports_of_campaign on campaign_imports (organization_id, campaign_id, import_id);

create table campaign_import_faults (
  import_id text not null,
  line integer not null,
  organization_id text not null,
  reason text not null,
  primary key (import_id, line)
);

-- Commands for the workers that conduct calls (ADR 89). A row is written by the request that gives the command and goes a day later.
create table call_commands (
  command_id text primary key,
  organization_id text not null,
  call_id text not null,
  job_id text not null,
  -- The order within a call.
  position bigint generated always as identity,
  type text not null,
  -- JSON of the request's fields.
  fields text not null,
  -- waiting: no worker has it. taken: the worker of `taken_epoch` may have performed it, so that no other one is given it.
  -- expired: not taken in time, and never to be performed.
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'performed', 'refused', 'expired')),
  taken_epoch bigint,
  refusal text,
  detail text,
  -- JSON of what the command returns.
  result text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((state in ('waiting', 'expired')) = (taken_epoch is null)),
  check ((state in ('performed', 'refused')) = (ended_at is not null))
);
create index call_commands_open on call_commands (job_id, position) where state in ('waiting', 'taken');
create index call_commands_of_call on call_commands (call_id);
create index call_commands_by_age on call_commands (created_at);

-- Whose commands a worker is given: those of the calls that it holds now.
create index jobs_of_worker on jobs (worker_id) where state = 'leased';

-- A call that was booked for later takes nothing and is pinned to nothing until it is due.
alter table calls drop constraint calls_status_check;
alter table calls add constraint calls_status_check check (status in
  ('scheduled', 'queued', 'dialing', 'answered', 'ended', 'completed', 'failed', 'canceled', 'policy_blocked', 'needs_review')) not valid;

-- One row a call with the status `scheduled`: what its admission needs besides the call.
create table scheduled_calls (
  call_id text primary key,
  organization_id text not null,
  agent_id text not null,
  -- When it is judged: at the time that it was booked for, later where it waits or a process is judging it.
  judge_at timestamptz not null,
  -- When it was first found to have no room.
  waiting_since timestamptz,
  consent boolean not null,
  -- The language that was asked for.
  language text,
  traceparent text
);
create index scheduled_calls_due on scheduled_calls (judge_at);
create index scheduled_calls_of_organization on scheduled_calls (organization_id, judge_at);

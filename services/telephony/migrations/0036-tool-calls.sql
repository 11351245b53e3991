-- Which tools of a call were run, so that no other attempt runs one again (ADR 67). Removed a day later.
create table tool_calls (
  organization_id text not null,
  call_id text not null,
  -- Of the decision of the model.
  tool_call_id text collate "C" not null,
  name text not null,
  -- Of the attempt that may send the request.
  run_id text not null,
  epoch bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  -- Null: not known.
  outcome text,
  result text,
  duration_ms integer,
  primary key (call_id, tool_call_id)
);
create index tool_calls_by_age on tool_calls (started_at);

-- What happened in a call that is over, as its engine kept it for a replay (ADR 72): gzip of lines of JSON, numbers redacted.
create table call_input_logs (
  call_id text primary key,
  organization_id text not null,
  log bytea not null,
  created_at timestamptz not null
);

-- What was extracted from calls, once for a revision of the agent's extraction (ADR 104). Content of calls: erased with it.
create table call_extractions (
  organization_id text not null,
  call_id text not null,
  revision integer not null,
  status text not null check (status in ('ready', 'failed')),
  -- The run that wrote it: the same one writes once.
  run_id text not null,
  -- JSON: what the record shows next to ids, revision, status and time.
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (call_id, revision)
);

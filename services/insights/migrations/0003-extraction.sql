-- What is extracted from the calls of an agent. What was extracted is content of calls, and telephony has it (ADR 104).
create table extraction_configurations (
  organization_id text not null,
  agent_id text primary key,
  -- Counts the writes, deletions included: what was extracted names it.
  revision integer not null default 1,
  -- JSON of schema, prompt and model; null: deleted.
  document text,
  updated_at timestamptz not null default clock_timestamp()
);

-- Calls that are to be extracted.
create table extraction_jobs (
  call_id text primary key,
  organization_id text not null,
  agent_id text not null,
  -- Names the run, so that it is recorded once: the id of the event, or of the rerun.
  run_id text not null,
  -- Null: a call that just ended, which goes first.
  rerun_id text,
  -- Counts the leases.
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp()
);
create index extraction_jobs_due on extraction_jobs ((rerun_id is null), due_at);

-- Extractions of earlier calls: a page of calls after the other is found and given jobs.
create table extraction_reruns (
  rerun_id text primary key,
  organization_id text not null,
  agent_id text not null,
  period_from timestamptz not null,
  period_to timestamptz not null,
  -- The last call that was found.
  position text not null default '',
  listed boolean not null default false,
  calls integer not null default 0,
  ready integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);
create unique index extraction_reruns_running on extraction_reruns (agent_id) where finished_at is null;
create index extraction_reruns_to_list on extraction_reruns (rerun_id) where not listed;

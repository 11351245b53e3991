-- The schema of insights: extraction from calls, and simulations.

-- EXTRACTION

-- What is extracted from the calls of an agent. What was extracted is content of calls, and telephony has it (ADR 104).
-- Erasure: kept: until the customer deletes or replaces it, or deletes the agent.
create table extraction_configurations (
  organization_id text not null,
  agent_id text primary key,
  -- Counts the writes, deletions included: what was extracted names it.
  revision integer not null default 1,
  -- JSON of schema, prompt and model; null: deleted. personal (kept): a schema and a prompt that the customer wrote, which may name people
  document text,
  updated_at timestamptz not null default clock_timestamp(),
  -- When agents said last that the agent is there.
  checked_at timestamptz not null default now()
);
create index extraction_configurations_checked on extraction_configurations (checked_at);

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

-- SIMULATIONS

-- Suites of scenarios that agents are tried with.
-- Erasure: kept: until the customer deletes the suite, or replaces the scenario of an imported call.
create table simulation_suites (
  simulation_suite_id text primary key,
  organization_id text not null,
  project_id text not null,
  agent_id text not null,
  name text not null, -- personal (kept): what the customer wrote
  -- JSON of the list. personal (kept): what the customer wrote, and what the other party said in calls that were imported, with what tools returned
  scenarios text not null,
  revision integer not null default 1,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  checked_at timestamptz not null default now()
);
create index simulation_suites_newest on simulation_suites (organization_id, created_at desc, simulation_suite_id desc);
create index simulation_suites_of_project on simulation_suites (organization_id, project_id, created_at desc, simulation_suite_id desc);
create index simulation_suites_checked on simulation_suites (checked_at);
create index simulation_suites_of_agent on simulation_suites (organization_id, agent_id);

-- A run has what it runs by value: suites and agents change meanwhile.
-- Erasure: deleted with their suite; of those that are over, the newest 50 of a suite stay.
create table simulation_runs (
  simulation_run_id text primary key,
  organization_id text not null,
  simulation_suite_id text not null,
  agent_id text not null,
  -- JSON: published, draft or a version.
  target text not null,
  -- 0: what the agent binds now counts.
  publication_version integer not null,
  publication_sha256 text not null,
  repetitions integer not null,
  simulated_model boolean not null,
  -- JSON of the list, with the variables that conversations have. personal (erased with the row): those of the suite when the run began
  scenarios text not null,
  -- JSON of RuntimeConfiguration. personal (erased with the row): prompts and tools of the agent, which may name people
  configuration text not null,
  -- JSON of what is extracted; null: no assertion is about it. personal (erased with the row): a schema and a prompt that the customer wrote
  extraction text,
  conversations integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  started boolean not null default false,
  canceled boolean not null default false,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at timestamptz,
  -- Spoken runs: with sound, in real time.
  spoken boolean not null default false
);
create index simulation_runs_of_suite on simulation_runs (organization_id, simulation_suite_id, created_at desc);
create index simulation_runs_under_way on simulation_runs (organization_id) where finished_at is null;

-- Conversations of one scenario that wait for a worker, or are leased to one. A job that is done is deleted.
create table simulation_jobs (
  job_id text primary key,
  organization_id text not null,
  simulation_run_id text not null,
  -- Its position in the run.
  scenario integer not null,
  first_repetition integer not null,
  repetitions integer not null,
  -- Counts the leases.
  epoch integer not null default 0,
  worker_id text not null default '',
  due_at timestamptz not null default clock_timestamp(),
  -- What a worker needs for a spoken job (engine, transcribers, voices); null: a job without sound.
  needs text[]
);
create index simulation_jobs_due on simulation_jobs (due_at);
create index simulation_jobs_of_run on simulation_jobs (simulation_run_id);

-- What became of each conversation of a run.
-- Erasure: deleted with their run.
create table simulation_results (
  simulation_run_id text not null,
  scenario integer not null,
  repetition integer not null,
  organization_id text not null,
  passed boolean not null,
  -- JSON of the list, by the position of their assertions. personal (erased with the row): what was found in a conversation
  verdicts text not null,
  -- JSON of what else was reported: turns, the ended reason, problems. personal (erased with the row): the turns of a conversation that no person
  -- had, of an imported scenario what the other party said
  document text not null,
  primary key (simulation_run_id, scenario, repetition)
);

-- When a worker last asked for jobs, in one row: without any, runs are refused.
create table simulation_runner_seen (
  one boolean default true primary key check (one),
  seen_at timestamptz not null default clock_timestamp()
);

-- What workers of spoken jobs offer, with the time of the last claim: one row for each different offer.
create table simulation_spoken_offers (
  offers text[] primary key, -- What a worker can do, as in simulation_jobs.needs.
  seen_at timestamptz not null default clock_timestamp()
);

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/idempotency.sql
\ir ../../libs/outbox/sql/rings.sql
\ir ../../libs/outbox/sql/outbox.sql
\ir ../../libs/outbox/sql/consumer.sql
\ir ../../libs/service/sql/oldest-snapshot.sql

-- Suites of scenarios that agents are tried with.
create table simulation_suites (
  simulation_suite_id text primary key,
  organization_id text not null,
  project_id text not null,
  agent_id text not null,
  name text not null,
  -- JSON of the list.
  scenarios text not null,
  revision integer not null default 1,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index simulation_suites_newest on simulation_suites (organization_id, created_at desc, simulation_suite_id desc);
create index simulation_suites_of_project
  on simulation_suites (organization_id, project_id, created_at desc, simulation_suite_id desc);

-- A run has what it runs by value: suites and agents change meanwhile.
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
  -- JSON of the list, with the variables that conversations have.
  scenarios text not null,
  -- JSON of RuntimeConfiguration.
  configuration text not null,
  -- JSON of what is extracted; null: no assertion is about it.
  extraction text,
  conversations integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  started boolean not null default false,
  canceled boolean not null default false,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at timestamptz
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
  due_at timestamptz not null default clock_timestamp()
);
create index simulation_jobs_due on simulation_jobs (due_at);
create index simulation_jobs_of_run on simulation_jobs (simulation_run_id);

create table simulation_results (
  simulation_run_id text not null,
  scenario integer not null,
  repetition integer not null,
  organization_id text not null,
  passed boolean not null,
  -- JSON of the list, by the position of their assertions.
  verdicts text not null,
  -- JSON of what else was reported: turns, the ended reason, problems.
  document text not null,
  primary key (simulation_run_id, scenario, repetition)
);

-- When a worker last asked for jobs, in one row: without any, runs are refused.
create table simulation_runner_seen (
  one boolean primary key default true check (one),
  seen_at timestamptz not null default clock_timestamp()
);

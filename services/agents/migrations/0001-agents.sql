-- An agent: its configuration as one document, and beside it everything a read answers, rendered when it was written, so
-- that a read is one select of text. Rows stay in line (no out-of-line storage below 8 KB) for the same reason.
create table agents (
  agent_id text collate "C" primary key,
  organization_id text not null,
  project_id text not null,
  -- suspended is an operator's act.
  status text not null check (status in ('active', 'inactive', 'suspended')),
  -- Counts every change from 1; the ETag, and what a write is held against.
  revision integer not null,
  -- Counts changes of the language fields and publications.
  language_profile_revision integer not null,
  document text not null,
  -- GET /v1/agents/{agent_id}, GET .../voice-stack and what a call pins.
  view text not null,
  voice_stack_view text not null,
  tuning text not null,
  -- What voice-stack computed, and the version of the catalogue that it was computed with.
  projection text not null,
  catalogue_version text not null,
  cost_micros_per_minute integer not null,
  mode text not null,
  -- Empty: none was chosen.
  language text not null,
  recording_enabled boolean not null,
  -- The publication pointer; version 0 with empty fields before the first.
  published_version integer not null default 0,
  published_sha256 text not null default '',
  published_at timestamptz,
  published_languages text[] not null default '{}',
  -- Null: Follow is not enabled.
  published_follow_caller jsonb,
  published_starting_language text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 85, toast_tuple_target = 8160);

create index agents_of_organization on agents (organization_id, created_at desc, agent_id desc);
create index agents_of_project on agents (organization_id, project_id, created_at desc, agent_id desc);

-- Every publication that ever was, immutable.
create table agent_publications (
  organization_id text not null,
  agent_id text collate "C" not null references agents (agent_id),
  version integer not null check (version > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  languages text[] not null,
  catalogue_version text not null,
  published_at timestamptz not null,
  primary key (organization_id, agent_id, version)
);

revoke update, delete, truncate on agent_publications from parley_agents;

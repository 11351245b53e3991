-- The schema of agents: agents with their whole configuration.

-- AGENTS AND THEIR PUBLICATIONS

-- An agent: its configuration as one document, and beside it everything a read answers, rendered when it was written, so that a read is one select of
-- text. Rows stay in line (no out-of-line storage below 8 KB) for the same reason.
-- Erasure: kept: as long as the agent, which the customer deletes.
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
  document text not null, -- personal (kept): the configuration as it was written: may name people and the phone numbers to transfer to
  -- GET /v1/agents/{agent_id}, GET .../voice-stack and what a call pins. personal (kept): the configuration as it is read: may name people and the
  -- phone numbers to transfer to
  view text not null,
  voice_stack_view text not null, -- personal (kept): the voice stack as it is read: may name people and the phone numbers to transfer to
  tuning text not null, -- personal (kept): what a call pins: may name people and the phone numbers to transfer to
  -- What voice-stack computed, and the version of the catalogue that it was computed with. personal (kept): what is computed from the configuration:
  -- may name people and the phone numbers to transfer to
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
  updated_at timestamptz not null,
  -- The variables that a call is held against: VariablesConfig as JSON text; null where the agent declares none. Beside the document, because
  -- admission reads it for every call. personal (kept): variables with their defaults: may name people and the phone numbers to transfer to
  variables text,
  -- The status that an operator's suspension found and that reinstatement brings back; null while the agent is not suspended.
  suspended_from text check (suspended_from in ('active', 'inactive')),
  -- Signing secrets of the webhook tools by name: JSON text of base64 of what the vault sealed. Beside the document, which is read by many; in the
  -- row, so that tools and secrets change in one statement. personal (kept): sealed headers of tools, which may name a user
  tool_secrets text not null default '{}',
  -- What calls pin: {version, sha256, definition} of the published version as JSON text; null while none is. Here, because admission reads it with
  -- the agent for every call. personal (kept): the published workflow: may name people and the phone numbers to transfer to
  workflow text,
  -- Why and since when an agent is suspended, as JSON text; null while it is not. personal (kept): the
  -- reason of a suspension, as an operator wrote it
  suspension text,
  -- Which form the texts of the reads were rendered in: the background job renders those of an earlier form anew.
  rendered integer not null default 0
) with (fillfactor = 85, toast_tuple_target = 8160);
create index agents_of_organization on agents (organization_id, created_at desc, agent_id desc);
create index agents_of_project on agents (organization_id, project_id, created_at desc, agent_id desc);
-- Finds the agents whose projection was computed with another catalogue.
create index agents_by_catalogue_version on agents (catalogue_version);
-- Finds the agents whose reads are of an earlier form.
create index agents_by_rendered on agents (rendered);
-- Lists of agents by status, newest first.
create index agents_by_status on agents (organization_id, status, created_at desc, agent_id desc);
-- Lists of agents by how their names begin. The name stands in what is read of an agent; agents without one are not found by any.
create index agents_by_name on agents (organization_id, lower(view::jsonb ->> 'name') collate "C");

-- Every publication that ever was, immutable.
-- Erasure: kept: it is append-only, because calls pin a version and versions can be restored.
create table agent_publications (
  organization_id text not null,
  agent_id text collate "C" not null references agents(agent_id),
  version integer not null check (version > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  languages text[] not null,
  catalogue_version text not null,
  published_at timestamptz not null,
  -- What a publication was compiled from, as it was stored then (JSON text), so that it can be restored: the publication itself has every default and
  -- override resolved. personal (kept): the published configuration: may name people and the phone numbers to transfer to
  configuration text not null,
  primary key (organization_id, agent_id, version)
);
revoke update, delete, truncate on agent_publications from parley_agents;

-- The draft of an agent's workflow, at most one. Its revision goes on where the draft before it stopped, so that a stale base never meets a newer
-- draft.
-- Erasure: the PIN expires; kept: the draft, as long as the agent.
create table agent_workflows (
  organization_id text not null,
  agent_id text collate "C" primary key references agents(agent_id),
  -- Counts every write of every draft, from 1.
  revision integer not null,
  -- Null while there is no draft. personal (erased with the row): the draft of a workflow: may name people and the phone numbers to transfer to
  draft text,
  layout text not null default '{}', -- personal (erased with the row): labels on the canvas
  draft_created_at timestamptz,
  draft_updated_at timestamptz,
  -- The highest of agent_workflow_versions; 0 before the first.
  published_version integer not null default 0,
  -- The PIN of a test caller: its salted SHA-256, never the digits. personal (erased with the row): digest of the PIN that identifies a test caller
  pin_digest bytea,
  pin_salt bytea, -- Of pin_digest.
  pin_armed_at timestamptz,
  pin_expires_at timestamptz,
  pin_disarmed_at timestamptz,
  -- Set while no version of the workflow is published, although there are versions.
  unpublished_at timestamptz
);
create index agent_workflows_of_organization on agent_workflows (organization_id);

-- Every published version, immutable.
-- Erasure: kept: it is append-only, because calls pin a version.
create table agent_workflow_versions (
  organization_id text not null,
  agent_id text collate "C" not null references agents(agent_id),
  version integer not null check (version > 0),
  sha256 text not null,
  definition text not null, -- personal (kept): a published workflow: may name people and the phone numbers to transfer to
  layout text not null, -- personal (kept): labels on the canvas
  node_count integer not null,
  published_at timestamptz not null,
  primary key (organization_id, agent_id, version)
);
revoke update, delete, truncate on agent_workflow_versions from parley_agents;

-- Which knowledge bases an agent answers from, in the order that they were named; no row: none was ever named. Whether a base still exists is for
-- knowledge to say.
create table agent_knowledge_bases (
  organization_id text not null,
  agent_id text collate "C" primary key references agents(agent_id) on delete cascade,
  knowledge_base_ids text[] not null
);
create index agent_knowledge_bases_of_organization on agent_knowledge_bases (organization_id);

-- Settings of agents that are resources of their own; no row: its defaults. Erasure: with the agent.
create table agent_settings (
  organization_id text not null,
  agent_id text collate "C" not null references agents(agent_id) on delete cascade,
  -- The last segment of the path.
  name text not null,
  value text not null, -- JSON. personal (erased with the row): texts of the agent may name people
  primary key (agent_id, name)
);
create index agent_settings_of_organization on agent_settings (organization_id);

-- Publications and versions of a workflow are immutable for the service; they end with their agent alone.
create function delete_agent(organization text, agent text, at_revision integer)
returns boolean language plpgsql security definer set search_path from current as $$
begin
  perform from agents where organization_id = organization and agent_id = agent and revision = at_revision for update;
  if not found then return false; end if;
  delete from agent_workflow_versions where organization_id = organization and agent_id = agent;
  delete from agent_workflows where organization_id = organization and agent_id = agent;
  delete from agent_publications where organization_id = organization and agent_id = agent;
  delete from agents where organization_id = organization and agent_id = agent;
  return true;
end $$;

-- WHAT AGENTS USE

-- Templates of messages: the whole read as one text, written at every change.
-- Erasure: kept: templates are not removed yet.
create table message_templates (
  organization_id text not null,
  template_id text collate "C" primary key,
  -- Counts every change from 1; the ETag.
  revision integer not null,
  view text not null, -- personal (kept): texts of messages: may name people and the phone numbers to transfer to
  created_at timestamptz not null
);
create index message_templates_of_organization on message_templates (organization_id, created_at desc, template_id desc);

-- Connections to other systems: the read as one text, written at every change, and what authenticates, sealed.
-- Erasure: kept: until the customer deletes it.
create table connections (
  organization_id text not null,
  connection_id text collate "C" primary key,
  project_id text not null,
  -- Counts every change from 1; the ETag.
  revision integer not null,
  view text not null, -- personal (kept): a connection to another system: may name people and the phone numbers to transfer to
  -- Sealed by libs/vault for the purpose connection-authentication; null: it needs none. personal (kept): what authenticates there, sealed
  secret bytea,
  created_at timestamptz not null
);
create index connections_of_organization on connections (organization_id, created_at desc, connection_id desc);
create index connections_of_project on connections (organization_id, project_id, created_at desc, connection_id desc);

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/idempotency.sql
\ir ../../libs/outbox/sql/rings.sql
\ir ../../libs/outbox/sql/outbox.sql
\ir ../../libs/service/sql/oldest-snapshot.sql

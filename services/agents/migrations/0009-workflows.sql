-- The draft of an agent's workflow, at most one. Its revision goes on where the draft before it stopped, so that a stale base
-- never meets a newer draft.
create table agent_workflows (
  organization_id text not null,
  agent_id text collate "C" primary key references agents (agent_id),
  -- Counts every write of every draft, from 1.
  revision integer not null,
  -- Null while there is no draft.
  draft text,
  layout text not null default '{}',
  draft_created_at timestamptz,
  draft_updated_at timestamptz,
  -- The highest of agent_workflow_versions; 0 before the first.
  published_version integer not null default 0,
  -- The PIN of a test caller: its salted SHA-256, never the digits.
  pin_digest bytea,
  pin_salt bytea,
  pin_armed_at timestamptz,
  pin_expires_at timestamptz,
  pin_disarmed_at timestamptz
);
create index agent_workflows_of_organization on agent_workflows (organization_id);

-- Every published version, immutable.
create table agent_workflow_versions (
  organization_id text not null,
  agent_id text collate "C" not null references agents (agent_id),
  version integer not null check (version > 0),
  sha256 text not null,
  definition text not null,
  layout text not null,
  node_count integer not null,
  published_at timestamptz not null,
  primary key (organization_id, agent_id, version)
);

revoke update, delete, truncate on agent_workflow_versions from parley_agents;

-- What calls pin: {version, sha256, definition} of the published version as JSON text; null while none is. Here, because admission reads it
-- with the agent for every call.
alter table agents add column workflow text;

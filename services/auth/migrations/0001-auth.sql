create table organizations (
  organization_id text primary key,
  name text not null,
  billing text not null default 'unmetered' check (billing in ('unmetered', 'prepaid')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz(3) not null default now()
);
create index organizations_newest on organizations (created_at desc, organization_id desc);
create index organizations_suspended on organizations (organization_id) where status = 'suspended';

create table projects (
  project_id text primary key,
  organization_id text not null references organizations,
  name text not null,
  created_at timestamptz(3) not null default now()
);
create index projects_newest on projects (organization_id, created_at desc, project_id desc);

create table api_keys (
  key_id text primary key,
  -- Empty: a platform credential, which belongs to no organization.
  organization_id text not null,
  kind text not null check (kind in ('customer', 'operator', 'hosted', 'gateway')),
  name text not null,
  -- As given: bundle names stay names and are expanded at each use.
  scopes text[] not null,
  -- HMAC-SHA-256 of the token under the pepper of this version.
  token_hash bytea not null unique,
  pepper_version integer not null,
  last_four text not null,
  -- The key that minted this one; empty when a command did.
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The control epoch that this key's revocation made.
  revoked_epoch bigint,
  -- When verification last read it, within the flush interval; caches ask less often than requests come.
  last_used_at timestamptz(3),
  check ((revoked_at is null) = (revoked_epoch is null)),
  check ((organization_id = '') = (kind in ('operator', 'hosted')))
);
create index api_keys_newest on api_keys (organization_id, created_at desc, key_id desc);
create index api_keys_revoked on api_keys (revoked_epoch, key_id) where revoked_epoch is not null;

-- Agents that an operator suspended, as the agents service told by the audit stream.
create table suspended_agents (
  agent_id text primary key,
  organization_id text not null,
  suspended boolean not null,
  -- When the act happened, so that a late redelivery changes nothing.
  acted_at timestamptz not null
);

-- One row each. The epoch's row is locked by the transaction that bumps it until that commits: epochs become visible in
-- their order, which a sequence would not promise.
create table control_epoch (
  single_row boolean primary key default true check (single_row),
  epoch bigint not null
);
insert into control_epoch (epoch) values (1);

create table maintenance (
  single_row boolean primary key default true check (single_row),
  active boolean not null default false,
  retry_after_seconds integer not null default 60 check (retry_after_seconds > 0),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  message text not null default ''
);
insert into maintenance default values;

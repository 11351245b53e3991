-- The schema of auth: organizations, keys, credentials, the control state and the audit log.

-- ORGANIZATIONS

-- The customers of the installation. They are never removed.
-- Erasure: kept: organizations are never removed.
create table organizations (
  organization_id text primary key,
  name text not null, -- personal (kept): the name of the customer, who may be one person
  billing text not null default 'unmetered' check (billing in ('unmetered', 'prepaid')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz(3) not null default now(),
  -- The control epoch of an organization's last change of billing, by which telephony asks for the changes that it has not applied; null: it never
  -- changed.
  billing_epoch bigint,
  -- Both null unless the organization is suspended; the reason also where the operator gave none. personal (kept): why an operator suspended the
  -- customer
  suspension_reason text,
  suspended_at timestamptz
);
create index organizations_newest on organizations (created_at desc, organization_id desc);
create index organizations_suspended on organizations (organization_id) where status = 'suspended';
create index organizations_billing_changes on organizations (billing_epoch) where billing_epoch is not null;

-- What an organization divides its agents and numbers into.
-- Erasure: kept: projects are never removed.
create table projects (
  project_id text primary key,
  organization_id text not null references organizations(organization_id),
  name text not null, -- personal (kept): a name that the customer chose
  created_at timestamptz(3) not null default now()
);
create index projects_newest on projects (organization_id, created_at desc, project_id desc);

-- Checks of the identity of organizations (docs/adr/0127-identity-documents-are-passed-on.md). Documents are passed on; no content is here.
-- Erasure: kept: as the evidence that the customer was verified; organizations are never removed.
create table verifications (
  verification_id text primary key,
  organization_id text not null references organizations(organization_id),
  kind text not null check (kind in ('individual', 'business')),
  status text not null check (status in ('pending', 'approved', 'rejected')),
  -- As the provider stated it. personal (kept): why the provider of identity checks rejected the customer
  reason text,
  -- Number, media type, size and hash of each document, in the order of the numbers. personal (kept): sizes and hashes of identity documents, without
  -- their content, which is passed on and not kept
  documents jsonb not null default '[]',
  created_by text not null, -- The key that began it.
  created_at timestamptz(3) not null default now(),
  -- When the provider last stated the status.
  checked_at timestamptz(3) not null default now(),
  -- When it was last asked for it, so that all replicas together ask once in a few seconds.
  asked_at timestamptz(3) not null default now()
);
create index verifications_newest on verifications (organization_id, created_at desc, verification_id desc);

-- KEYS AND CREDENTIALS

-- API keys, session tokens and platform credentials.
-- Erasure: deleted 90 days after it was revoked or expired, once no key that it issued is valid.
create table api_keys (
  key_id text primary key,
  -- Empty: a platform credential, which belongs to no organization.
  organization_id text not null,
  kind text not null check (kind in ('customer', 'operator', 'hosted', 'hosted_simulation', 'gateway')),
  name text not null, -- personal (erased with the row): a name that the customer chose, often that of its holder
  -- As given: bundle names stay names and are expanded at each use.
  scopes text[] not null,
  -- HMAC-SHA-256 of the token under the pepper of this version.
  token_hash bytea not null unique,
  pepper_version integer not null,
  last_four text not null, -- Of the token, for people.
  -- The key that minted this one; empty when a command did.
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The control epoch that this key's revocation made.
  revoked_epoch bigint,
  -- When verification last read it, within the flush interval; caches ask less often than requests come.
  last_used_at timestamptz(3),
  -- Blocks of addresses that a key may be used from; empty: everywhere.
  allowed_cidrs text[] not null default '{}',
  -- Sessions are keys of at most twelve hours that belong to a subject: a key for now.
  session_of text,
  -- A limit of a key's own, and where it was last used from.
  requests_per_minute integer check (requests_per_minute > 0),
  last_used_address text, -- personal (erased with the row): the network address that it was last used from
  -- The limits of the keys that minted this one, from the first to the nearest, which its requests count against too: [{"key_id",
  -- "requests_per_minute"}]. Keys that were minted before keep counting for themselves alone: they could otherwise be refused where they were not.
  shared_limits jsonb not null default '[]',
  -- The first of the keys of its organization that minted this one, directly or through others; null: none, so that a key is its own root, and a session's is
  -- its key.
  root_key_id text,
  check ((revoked_at is null) = (revoked_epoch is null)),
  check ((organization_id = '') = kind in ('operator', 'hosted', 'hosted_simulation'))
);
create index api_keys_newest on api_keys (organization_id, created_at desc, key_id desc);
-- Revoking a key with what it minted.
create index api_keys_minted on api_keys (created_by, organization_id);
create index api_keys_sessions on api_keys (organization_id, session_of) where session_of is not null and revoked_at is null;

-- Credentials of hosted-AI providers that an organization brings (decisions section 3).
-- Erasure: kept: until the customer deletes it.
create table component_credentials (
  component_credential_id text primary key,
  organization_id text not null references organizations(organization_id),
  kind text not null check (kind in ('stt', 'llm', 'tts')),
  provider text not null,
  name text not null, -- personal (kept): a name that the customer chose
  -- Sealed by libs/vault; no statement that answers a read selects it.
  secret bytea not null,
  -- The key-encryption key under which it is sealed, for finding what a rotation has still to do.
  vault_key_id text not null,
  created_by text not null, -- The key that stored it.
  created_at timestamptz(3) not null default now(),
  -- When the secret of a component credential was replaced last; null: it is the first one.
  replaced_at timestamptz(3),
  -- Where a provider's credential is used, and whether the provider took the secret as it is now. Null: the provider's public address.
  base_url text,
  -- All three null: never tested since the secret was set.
  tested_at timestamptz(3),
  test_ok boolean,
  test_detail text, -- What the provider answered.
  -- A credential that calls of the organization use besides the one that their agent binds (docs/adr/0095-standby-credentials.md). One of a kind and
  -- provider: a second one is refused, so none takes the place of another.
  standby boolean not null default false
);
create index component_credentials_newest on component_credentials (organization_id, created_at desc, component_credential_id desc);
create unique index component_credentials_standby on component_credentials (organization_id, kind, provider) where standby;

-- CONTROL STATE: WHAT EVERY REPLICA POLLS

-- The control epoch, in one row. The transaction that raises it locks the row until it commits, so epochs become visible in their order.
create table control_epoch (
  single_row boolean default true primary key check (single_row),
  epoch bigint not null,
  complete_since bigint not null default 0
);
insert into control_epoch (epoch, complete_since) values (1, 1);

-- One row for each change of the control state, by the epoch that it made: what a process asks for five times a second is what came after the epoch
-- that it has. Pruned by age: who asks from before `complete_since` is sent the whole state.
create table control_changes (
  epoch bigint not null,
  kind text not null check (kind in ('key_revoked', 'organization_suspended', 'organization_reinstated', 'agent_suspended', 'agent_reinstated')),
  -- The id of the key, organization or agent.
  subject text not null,
  changed_at timestamptz(3) not null default now(),
  primary key (epoch) include (kind, subject)
);
create index control_changes_age on control_changes (changed_at);

-- Agents that an operator suspended, as the agents service told by the audit stream.
create table suspended_agents (
  agent_id text primary key,
  organization_id text not null,
  suspended boolean not null,
  -- When the act happened, so that a late redelivery changes nothing.
  acted_at timestamptz not null
);
create index suspended_agents_now on suspended_agents (agent_id) where suspended;

-- The maintenance window, in one row.
create table maintenance (
  single_row boolean default true primary key check (single_row),
  active boolean not null default false,
  retry_after_seconds integer not null default 60 check (retry_after_seconds > 0),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  message text not null default '' -- Shown to clients.
);
insert into maintenance default values;

-- AUDIT LOG

-- What was done, by whom. Append-only.
-- Erasure: deleted after AUDIT_RETENTION_DAYS, at least 365; until then it is append-only, as the evidence of who changed what. Found for a person by
-- subject, detail.
create table audit_log (
  audit_id text primary key,
  -- Empty for acts on the platform itself.
  organization_id text not null,
  -- Empty when a command acted. personal (erased with the row): the key, and so its holder
  actor_key_id text not null,
  action text not null, -- Declared by the route, such as agent.renamed.
  -- The id that was acted upon. personal (erased with the row): the id that was acted on
  subject text not null,
  detail jsonb not null default '{}', -- personal (erased with the row): what was changed, such as a phone number taken off the suppression list
  created_at timestamptz(3) not null default now(),
  -- Where the request of an act came from; empty for acts without a client. personal (erased with the row):
  -- the network address of the client that acted
  client_address text not null default '' check (length(client_address) <= 256),
  user_agent text not null default '' check (length(user_agent) <= 256) -- personal (erased with the row): the user agent of the client that acted
);
create index audit_log_newest on audit_log (organization_id, created_at desc, audit_id desc);
-- For the deletion of old entries (0027).
create index audit_log_by_age on audit_log (created_at);
-- Append-only also for the owner of the table. expire_audit is the only way to delete entries.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('parley.audit_expires', true) = 'on' then
    return null;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before delete or update or truncate on audit_log for each statement execute function refuse_audit_change();
revoke update, delete, truncate on audit_log from parley_auth;

-- Deletes at most `most` entries that are older than `days`, and returns how many. It runs as the owner, because the service may not delete entries.
create function expire_audit(days integer, most integer) returns integer
language plpgsql security definer set search_path from current set parley.audit_expires = 'on' as $$
declare
  deleted integer;
begin
  if days < 365 then
    raise exception 'entries of the audit log are kept for at least 365 days' using errcode = 'insufficient_privilege';
  end if;
  delete from audit_log where audit_id in (
    select audit_id from audit_log where created_at < now() - make_interval(days => days) order by created_at limit most);
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/idempotency.sql
\ir ../../libs/outbox/sql/consumer.sql
\ir ../../libs/service/sql/oldest-snapshot.sql

-- Agent endpoints (2.9) and the secrets that sign what is sent to them.
create table endpoints (
  organization_id text not null,
  id text primary key,
  project_id text not null,
  name text not null default '',
  webhook_url text not null,
  audio_stream_url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- parked: failing for five days, or 410 Gone; its deliveries wait to be recovered.
  status text not null default 'active' check (status in ('active', 'parked')),
  -- Counts the changes of either address.
  dest_version integer not null default 1,
  -- The current series of deliveries: an event is delivered once a series. A recovery begins the next one.
  generation integer not null default 0,
  -- Counts every change; the entity tag.
  revision bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Kept while its deliveries can be read; to everybody else it is gone.
  deleted_at timestamptz
);
create index endpoints_listing on endpoints (organization_id, id desc) where deleted_at is null;
create index endpoints_of_project on endpoints (organization_id, project_id) where deleted_at is null;

create table endpoint_secrets (
  organization_id text not null,
  endpoint_id text not null references endpoints (id),
  id bigint generated always as identity,
  -- Sealed by the vault for (organization, 'webhook-signing', endpoint).
  sealed bytea not null,
  created_at timestamptz not null default now(),
  -- Null: the newest one. A rotated secret signs beside it until then.
  expires_at timestamptz,
  primary key (endpoint_id, id)
);

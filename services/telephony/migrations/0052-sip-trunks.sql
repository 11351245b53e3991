-- SIP peers by which numbers of the provider sip_trunk call and are called (ADR 93).
create table sip_trunks (
  sip_trunk_id text primary key,
  organization_id text not null,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  transport text not null check (transport in ('udp', 'tcp')),
  -- Null: the peer asks for none.
  username text,
  -- Sealed; as long as there is a username.
  password bytea,
  vault_key_id text,
  codecs text[] not null,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((username is null) = (password is null))
);
create index sip_trunks_of_organization on sip_trunks (organization_id, sip_trunk_id);

alter table numbers add column sip_trunk_id text;
create index numbers_of_sip_trunk on numbers (sip_trunk_id, organization_id) where sip_trunk_id is not null and released_at is null;

-- Connections to other systems: the read as one text, written at every change, and what authenticates, sealed.
create table connections (
  organization_id text not null,
  connection_id text collate "C" primary key,
  project_id text not null,
  -- Counts every change from 1; the ETag.
  revision integer not null,
  view text not null,
  -- Sealed by libs/vault for the purpose connection-authentication; null: it needs none.
  secret bytea,
  created_at timestamptz not null
);
create index connections_of_organization on connections (organization_id, created_at desc, connection_id desc);
create index connections_of_project on connections (organization_id, project_id, created_at desc, connection_id desc);

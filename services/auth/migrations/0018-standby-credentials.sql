-- A credential that calls of the organization may use besides the one that their agent binds (docs/adr/0095-standby-credentials.md).
alter table component_credentials add column standby boolean not null default false;
create index component_credentials_standby
  on component_credentials (organization_id, kind, provider, created_at desc, component_credential_id desc) where standby;

-- Credentials of hosted-AI providers that an organization brings (decisions section 3).
create table component_credentials (
  component_credential_id text primary key,
  organization_id text not null references organizations,
  kind text not null check (kind in ('stt', 'llm', 'tts')),
  provider text not null,
  name text not null,
  -- Sealed by libs/vault; no statement that answers a read selects it.
  secret bytea not null,
  -- The key-encryption key under which it is sealed, for finding what a rotation has still to do.
  vault_key_id text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now()
);
create index component_credentials_newest
  on component_credentials (organization_id, created_at desc, component_credential_id desc);

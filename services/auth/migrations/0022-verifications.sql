-- Checks of the identity of organizations (docs/adr/0127-identity-documents-are-passed-on.md). Documents are passed on; no content is here.
create table verifications (
  verification_id text primary key,
  organization_id text not null references organizations,
  kind text not null check (kind in ('individual', 'business')),
  status text not null check (status in ('pending', 'approved', 'rejected')),
  -- As the provider stated it.
  reason text,
  -- Number, media type, size and hash of each document, in the order of the numbers.
  documents jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  -- When the provider last stated the status.
  checked_at timestamptz(3) not null default now(),
  -- When it was last asked for it, so that all replicas together ask once in a few seconds.
  asked_at timestamptz(3) not null default now()
);
create index verifications_newest on verifications (organization_id, created_at desc, verification_id desc);

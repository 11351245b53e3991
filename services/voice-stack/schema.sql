-- The schema of voice-stack: compiled publications.

-- Immutable, content addressed, never collected: a call keeps what it pinned.
-- Erasure: kept: it is append-only, because calls pin it by its hash.
create table publications (
  organization_id text not null,
  -- Hex, over exactly the bytes of content.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content text not null, -- personal (kept): what a worker needs to conduct a call: may name people and the phone numbers to transfer to
  created_at timestamptz not null default now(),
  primary key (organization_id, sha256)
);
revoke update, delete, truncate on publications from parley_voice_stack;

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/oldest-snapshot.sql

-- Immutable, content addressed, never collected: a call keeps what it pinned.
create table publications (
  organization_id text not null,
  -- Hex, over exactly the bytes of content.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, sha256)
);

revoke update, delete, truncate on publications from parley_voice_stack;

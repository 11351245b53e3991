-- Recordings that come in parts while their call runs. The bytes are in the recording store, under organization, call and part.

create table recording_uploads (
  call_id text primary key,
  organization_id text not null,
  -- Discarded: nothing of it is the recording of the call, and it takes no parts any more.
  state text not null default 'taking' check (state in ('taking', 'complete', 'ready', 'discarded')),
  -- Of the lease under which the first part came: a worker that lost it writes no more.
  epoch bigint not null,
  -- Of the parts together, from their completion on.
  parts integer,
  size_bytes integer,
  duration_ms integer,
  -- Hexadecimal: of the parts, and of the WAVE file that they are read as.
  sha256 text,
  wave_sha256 text,
  created_at timestamptz not null,
  touched_at timestamptz not null,
  ready_at timestamptz,
  -- How often finishing it was begun in its present state, and when it may be begun again.
  attempts integer not null default 0,
  retry_at timestamptz not null default now(),
  -- Whether parts behind the last one, with their bytes, still have to be deleted.
  leftover boolean not null default false,
  check (state in ('taking', 'discarded') or (parts is not null and size_bytes is not null and duration_ms is not null and sha256 is not null
    and wave_sha256 is not null)),
  check ((state = 'ready') = (ready_at is not null))
);

create index recording_uploads_unfinished on recording_uploads (state, retry_at) where state in ('taking', 'complete');
create index recording_uploads_leftover on recording_uploads (retry_at) where leftover and state in ('ready', 'discarded');

create table recording_parts (
  call_id text not null references recording_uploads on delete cascade,
  part integer not null check (part > 0),
  organization_id text not null,
  size_bytes integer not null check (size_bytes > 0),
  sha256 text not null,
  -- Null while the bytes may not be in the store yet.
  stored_at timestamptz,
  primary key (call_id, part)
);

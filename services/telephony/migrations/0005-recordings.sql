-- Recordings, and records of calls that never were.

alter table calls add column synthetic boolean not null default false;

create table recordings (
  call_id text primary key,
  organization_id text not null,
  format text not null check (format in ('wav', 'mp3', 'ogg', 'simulated')),
  duration_ms integer not null check (duration_ms >= 0),
  -- Hexadecimal, of the content.
  sha256 text not null,
  content bytea not null,
  created_at timestamptz not null
);

-- What the reapers of all replicas share (ADR 0043). One row: when a worker was last heard, and since when workers have been heard without a
-- long pause. It changes about once a second, never with each heartbeat, and no index covers what changes.
create table lease_watch (
  only_row boolean primary key default true check (only_row),
  heard_at timestamptz not null default '-infinity',
  heard_since timestamptz not null default '-infinity'
) with (fillfactor = 50);
insert into lease_watch default values;

-- One row for each lease that was reaped; those of the last minute are counted before another one is.
create table lease_reaps (reaped_at timestamptz not null);
create index lease_reaps_age on lease_reaps (reaped_at);

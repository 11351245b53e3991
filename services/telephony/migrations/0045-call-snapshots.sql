-- What another worker goes on from when the one that conducts a call is lost (ADR 86). A row goes when its call ends.
create table call_snapshots (
  call_id text primary key,
  organization_id text not null,
  -- JSON of the worker's own form, without numbers of cards.
  body text not null,
  taken_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
create index call_snapshots_by_age on call_snapshots (taken_at);

-- When its worker was lost; null: it has one, or had none yet.
alter table jobs add column lost_at timestamptz;

-- Until then a slot of another worker is kept for the call of a worker that stops.
alter table carrier_lines add column handover_until timestamptz;

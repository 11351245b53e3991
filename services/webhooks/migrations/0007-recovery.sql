-- Attempts of at most so many in a second; null: no limit.
alter table endpoints add column max_per_second integer check (max_per_second > 0);

-- Attempts of earlier series: a delivery that is retried by hand or recovered begins its schedule anew.
alter table deliveries add column earlier_attempts integer not null default 0;

-- One index for the searches by status, by type and by both.
create index deliveries_search on deliveries (organization_id, endpoint_id, status, event_type, id desc);
drop index deliveries_by_status;

-- What searches of an endpoint's attempts go by; null in attempts that the version before wrote.
alter table attempts add column endpoint_id text, add column event_type text;
create index attempts_search on attempts (organization_id, endpoint_id, started_at desc, delivery_id desc, number desc);

-- A recovery walks over an endpoint's deliveries in the order of their ids, some thousands a transaction.
create table recoveries (
  organization_id text not null,
  id text primary key,
  endpoint_id text not null,
  since timestamptz not null,
  -- The series that recovered deliveries join.
  generation integer not null,
  -- The last delivery that was looked at, and the last to look at.
  position text not null,
  last_position text not null,
  -- Whether failed deliveries are recovered too; parked ones always are.
  with_failed boolean not null,
  status text not null default 'running' check (status in ('running', 'completed', 'stopped')),
  examined bigint not null default 0,
  recovered bigint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index recoveries_running on recoveries (id) where status = 'running';
create index recoveries_listing on recoveries (organization_id, endpoint_id, id desc);

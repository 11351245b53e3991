-- Every event that arrived, with the exact bytes that are signed and sent.
create table events (
  organization_id text not null,
  id text primary key,
  project_id text,
  agent_id text,
  type text not null,
  resource_id text not null,
  resource_seq bigint not null,
  payload text not null,
  traceparent text,
  created_at timestamptz not null,
  received_at timestamptz not null default now()
);
create index events_of_organization on events (organization_id, id);
create index events_age on events using brin (received_at);

-- One event for one endpoint in one series. The retry timer is the row's own next_attempt_at, by the database's clock.
create table deliveries (
  organization_id text not null,
  id text primary key,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  generation integer not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'parked', 'canceled')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz check ((status = 'pending') = (next_attempt_at is not null)),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (endpoint_id, event_id, generation)
) with (fillfactor = 80);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index deliveries_listing on deliveries (organization_id, endpoint_id, id desc);
create index deliveries_by_status on deliveries (organization_id, endpoint_id, status, id desc);
create index deliveries_age on deliveries using brin (created_at);

-- One lane an endpoint: worked by one replica at a time, under a lease by the database's clock.
create table lanes (
  organization_id text not null,
  endpoint_id text primary key,
  leased_by text,
  lease_until timestamptz,
  -- unproven until the first success; failing after three failures in a row.
  standing text not null default 'unproven' check (standing in ('unproven', 'healthy', 'failing')),
  failures integer not null default 0,
  failing_since timestamptz,
  -- No delivery of the endpoint is due before this; null: none waits. Lowered under the row's lock by whoever makes
  -- deliveries, raised under it by whoever leaves the lane.
  due_at timestamptz
) with (fillfactor = 70);
create index lanes_due on lanes (standing, due_at) where due_at is not null;
create index lanes_leased on lanes (leased_by) where leased_by is not null;

-- What became of each attempt, in daily partitions.
create table attempts (
  organization_id text not null,
  delivery_id text not null,
  number integer not null,
  started_at timestamptz not null,
  -- HTTP status; null when no answer came.
  status integer,
  latency_ms integer not null,
  -- null on success
  error text,
  response_body text not null default '',
  primary key (delivery_id, number, started_at)
) partition by range (started_at);
create table attempts_other partition of attempts default;

-- Makes the partitions of today and of the days ahead and drops those older than `days_kept`. Runs as the owner of the
-- tables, which the service's role is not.
create function maintain_attempt_partitions(days_ahead integer, days_kept integer) returns void
language plpgsql security definer set search_path from current as $$
declare
  today date := (now() at time zone 'UTC')::date;
  one date;
  part text;
begin
  for one in select today + n from generate_series(0, days_ahead) as n loop
    part := 'attempts_' || to_char(one, 'YYYYMMDD');
    if to_regclass(quote_ident(part)) is null then
      begin
        execute format('create table %I partition of attempts for values from (%L) to (%L)',
          part, one::timestamp at time zone 'UTC', (one + 1)::timestamp at time zone 'UTC');
      exception when duplicate_table then null;
      end;
    end if;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'attempts'::regclass and c.relname ~ '^attempts_\d{8}$'
      and c.relname < 'attempts_' || to_char(today - days_kept, 'YYYYMMDD')
  loop
    execute format('drop table %I', part);
  end loop;
end $$;
select maintain_attempt_partitions(3, 30);

-- The event log: each organization's events in the order in which they were committed, so that a reader who goes on
-- after the last one it saw misses none.

-- The last number that was given out. Its row is locked until the commit of the events that were numbered, so a lower
-- number is never committed after a higher one.
create table event_heads (
  organization_id text primary key,
  last_seq bigint not null
) with (fillfactor = 50);

alter table events
  -- Null: not in the log. Test events are not.
  add column log_seq bigint,
  add column is_test boolean not null default false;

with numbered as (
  select id, row_number() over (partition by organization_id order by received_at, id) as seq from events)
update events set log_seq = numbered.seq from numbered where events.id = numbered.id;

insert into event_heads (organization_id, last_seq) select organization_id, max(log_seq) from events group by 1;

create index events_log on events (organization_id, type, log_seq) where log_seq is not null;

-- For the version before, which does not number what it stores.
create function number_event() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into event_heads as head (organization_id, last_seq) values (new.organization_id, 1)
    on conflict (organization_id) do update set last_seq = head.last_seq + 1
    returning last_seq into new.log_seq;
  return new;
end $$;
create trigger events_number before insert on events
  for each row when (new.log_seq is null and not new.is_test) execute function number_event();

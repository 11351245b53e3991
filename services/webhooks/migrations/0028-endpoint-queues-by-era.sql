-- A queue is found by when it was updated last, as the rows that each batch of events updates (migration 0026, ADR 133): while a transaction keeps an old
-- snapshot, a look-up by endpoint visits all versions of the row, and so does the check of a unique index at each update. The era is the current two seconds,
-- counted from 1970, and never decreases, so the valid version of a row is always in its last era. A trigger sets it, also for replicas of the previous release.
-- That an endpoint has one queue follows from the primary key of endpoints: a queue is inserted only together with its endpoint.
alter table endpoint_queues add column era integer not null default 0;
alter table endpoint_queues drop constraint endpoint_queues_pkey, add constraint endpoint_queues_pkey primary key (endpoint_id, era);

create function stamp_endpoint_queue() returns trigger language plpgsql as $$
begin
  new.era := greatest(old.era, new.era, (extract(epoch from clock_timestamp()) / 2)::integer);
  return new;
end $$;
create trigger endpoint_queue_updated before update on endpoint_queues for each row execute function stamp_endpoint_queue();

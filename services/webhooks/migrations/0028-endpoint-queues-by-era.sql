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
-- Only updates of columns that are in an index begin a new era: the renewal of a lease changes none, so it replaces the version in its page.
create trigger endpoint_queue_updated before update on endpoint_queues for each row
  when ((old.due_at, old.leased_by, old.health, old.era) is distinct from (new.due_at, new.leased_by, new.health, new.era))
  execute function stamp_endpoint_queue();

-- The era of the queue's version in the snapshot of the calling statement, which is why the function is stable; null if the endpoint has no queue. Only the
-- index is read in its order, from the end: other plans read all versions, and PostgreSQL estimates that they cost the same.
create function endpoint_queue_era(endpoint text) returns integer
language plpgsql stable set search_path from current set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return (select era from endpoint_queues where endpoint_id = endpoint order by era desc limit 1);
end $$;

-- The last position of an organization's event log; null if the log has no events. Rows that only replicas of an earlier release have written have no era.
create function event_head(organization text) returns bigint
language plpgsql stable set search_path from current set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  head bigint := (select last_seq from event_heads where (organization_id || '') = organization and era > 0 order by era desc limit 1);
begin
  return coalesce(head, (select last_seq from event_heads where organization_id = organization));
end $$;

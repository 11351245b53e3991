-- The rows that each batch of events updates are found by when they were updated, as telephony's counter rows (ADR 133): while a transaction keeps an old
-- snapshot, every access by the primary key visits all versions of a row. The era is the current two seconds, counted from 1970.
alter table stream_memory add column era integer not null default 0;
create index stream_memory_by_era on stream_memory ((stream || ''), durable, era);

alter table event_heads add column era integer not null default 0;
create index event_heads_by_era on event_heads ((organization_id || ''), era) where era > 0;

-- Adds to the last numbers of these organizations and returns them. It locks the rows in the order of the organizations.
create function advance_event_heads(organizations text[], counts bigint[]) returns table (organization_id text, last_seq bigint)
language plpgsql set search_path from current set enable_seqscan = off as $$
#variable_conflict use_column
declare
  now_era integer := (extract(epoch from clock_timestamp()) / 2)::integer;
  organization text;
  added bigint;
  head bigint;
begin
  for organization, added in select given.organization, given.added from unnest(organizations, counts) as given (organization, added) order by 1 loop
    update event_heads h set last_seq = h.last_seq + added, era = greatest(h.era, now_era)
      where (h.organization_id || '') = organization and h.era >= now_era - 5 and h.era > 0 returning h.last_seq into head;
    if not found then
      insert into event_heads as h (organization_id, last_seq, era) values (organization, added, now_era)
        on conflict (organization_id) do update set last_seq = h.last_seq + excluded.last_seq, era = greatest(h.era, excluded.era)
        returning h.last_seq into head;
    end if;
    organization_id := organization;
    last_seq := head;
    return next;
  end loop;
end $$;

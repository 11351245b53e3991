-- The row that each batch of events updates is found by when it was updated, as telephony's counter rows (ADR 133): while a transaction keeps an old snapshot,
-- every access by the primary key visits all versions of a row. The era is the current two seconds, counted from 1970.
alter table stream_memory add column era integer not null default 0;
create index stream_memory_by_era on stream_memory ((stream || ''), durable, era);

-- Records the highest handled position of a consumer. Writes nothing if the stream was recreated since. The row is looked for among those that were updated in
-- the last ten seconds first, because next to an old snapshot the check for a conflict visits every version of the row. A scan of the whole table would do so
-- too, and is cheaper only in the plan of a session that began while the table was small.
create function record_stream_position(of_stream text, of_durable text, created text, seq bigint, id text) returns void
language plpgsql set search_path from current set enable_seqscan = off as $$
declare
  now_era integer := (extract(epoch from clock_timestamp()) / 2)::integer;
begin
  update stream_memory m set stream_seq = greatest(m.stream_seq, seq), event_id = case when m.stream_seq < seq then id else m.event_id end,
      era = greatest(m.era, now_era)
    where (m.stream || '') = of_stream and m.durable = of_durable and m.era >= now_era - 5 and m.stream_created = created;
  if not found then
    insert into stream_memory as m (stream, durable, stream_created, stream_seq, event_id, era)
      values (of_stream, of_durable, created, seq, id, now_era)
      on conflict (stream, durable) do update set stream_seq = excluded.stream_seq, event_id = excluded.event_id, era = greatest(m.era, excluded.era)
      where m.stream_created = excluded.stream_created and m.stream_seq < excluded.stream_seq;
  end if;
end $$;

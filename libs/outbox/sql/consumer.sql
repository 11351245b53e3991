-- Included by the schema of every service that consumes.
--
-- The highest sequence that a durable consumer has handled, with the id of its message, written before the message is
-- acknowledged. A stream that loses its end gives its sequences out again while the consumer, whose state the server keeps apart, believes
-- that it had them: by this row that is noticed (ADR 0038).
create table stream_memory (
  stream text not null, -- EVENTS or AUDIT
  durable text not null, -- the consumer
  -- The stream's creation time, in the server's own text.
  stream_created text not null,
  stream_seq bigint not null,
  event_id text not null,
  -- The two seconds (counted from 1970) in which the row was last updated; it is found by them (ADR 133).
  era integer not null default 0,
  primary key (stream, durable)
) with (fillfactor = 50);
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

-- Sequences up to which everything was acknowledged, one a minute: the newest that the stream still holds is where a consumer
-- begins again.
create table stream_marks (
  stream text not null, -- EVENTS or AUDIT
  durable text not null, -- the consumer
  stream_created text not null, -- as in stream_memory
  stream_seq bigint not null,
  event_id text not null,
  marked_at timestamptz not null default now(),
  primary key (stream, durable, stream_created, stream_seq)
);

-- What a consumer could not handle.
-- Erasure: webhooks deletes those of an erased call, message or contact, insights those that are seven days old; kept otherwise, until an operator has
-- looked at them and deletes them.
create table dead_letters (
  durable text not null, -- the consumer
  event_id text not null,
  subject text not null, -- the organization is its third part
  payload bytea not null, -- personal (erased with the row): the event
  traceparent text,
  error text not null, -- personal (erased with the row): an error, which may quote the event
  deliveries integer not null,
  stream_seq bigint not null,
  created_at timestamptz not null default now(),
  primary key (durable, event_id)
);

-- Paste into a numbered migration of every service that consumes.
--
-- stream_memory: the highest sequence that a durable consumer has handled, with the id of its message, written before the message is
-- acknowledged. A stream that loses its end gives its sequences out again while the consumer, whose state the server keeps apart, believes
-- that it had them: by this row that is noticed (ADR 0038).
create table stream_memory (
  stream text not null,
  durable text not null,
  -- The stream's creation time, in the server's own text.
  stream_created text not null,
  stream_seq bigint not null,
  event_id text not null,
  -- The two seconds (counted from 1970) in which the row was last updated; it is found by them (ADR 133).
  era integer not null default 0,
  primary key (stream, durable)
) with (fillfactor = 50);
create index stream_memory_by_era on stream_memory ((stream || ''), durable, era);

-- stream_marks: sequences up to which everything was acknowledged, one a minute: the newest that the stream still holds is where a consumer
-- begins again.
create table stream_marks (
  stream text not null,
  durable text not null,
  stream_created text not null,
  stream_seq bigint not null,
  event_id text not null,
  marked_at timestamptz not null default now(),
  primary key (stream, durable, stream_created, stream_seq)
);
